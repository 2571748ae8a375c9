import { adminFunction, registryFunction } from 'imprimatur-contracts/delegate-forwarder-abi';
import { forwarderDeployment } from 'imprimatur-contracts/deploy/forwarder-deployment';
import { recognizeRegistry } from 'imprimatur-verifier';
import {
  AbiDecodingZeroDataError,
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
} from 'viem';
import { callView } from '../../../../functions/adapters/chain/calls.ts';
import { isOperator } from '../../../../functions/adapters/chain/contracts.ts';
import { hex, type Rpc } from '../../../../functions/adapters/chain/rpc.ts';
import { revertOf } from '../../../../functions/adapters/chain/rpc-errors.ts';
import type { ChainSettings, RegistrySettings } from '../../../../functions/domain/settings.ts';
import { type Outcome, ok, problem, warning } from '../report.ts';

const codeAt = (rpc: Rpc, address: Address): Promise<Hex> => rpc('eth_getCode', [address, 'latest'], hex);

/** Checks the code of a registry against the versions that verifiers know. */
export async function checkRegistry(
  rpc: Rpc,
  { chainId, revealDelaySeconds }: ChainSettings,
  { registryAddress }: RegistrySettings,
): Promise<Outcome> {
  const recognized = recognizeRegistry(chainId, registryAddress, await codeAt(rpc, registryAddress));
  if (!recognized)
    return problem(
      `there is no contract at ${registryAddress}`,
      'Correct registryAddress in the settings, or deploy one: npm run deploy --workspace contracts -- --help',
    );
  const { codeHash, version, codeIsKnown, revealDelaySeconds: delay } = recognized;
  const says = `${registryAddress} has code hash ${codeHash}`;
  if (version === undefined)
    return problem(
      `${says}, which is no known registry's: verifiers refuse what is attested there`,
      'Correct registryAddress in the settings.',
    );
  if (delay !== undefined && delay > revealDelaySeconds)
    return problem(
      `${says} (${version}) takes reveals after ${delay} s, and the settings reveal after ${revealDelaySeconds} s`,
      `Set revealDelaySeconds to ${delay}.`,
    );
  return ok(`${says}: ${version}${codeIsKnown ? '' : ', known by its address alone'}`);
}

/** Checks a forwarder: its code, its registry, and whether it takes calls of the keys that send. */
export async function checkForwarder(
  rpc: Rpc,
  forwarder: Address,
  registryAddress: Address,
  signers: readonly Address[],
): Promise<Outcome> {
  const code = await codeAt(rpc, forwarder);
  if (code === '0x')
    return problem(
      `there is no contract at ${forwarder}`,
      'Correct `delegates` in the settings, or deploy one: npm run deploy --workspace contracts -- --help',
    );
  const own = await registryOf(rpc, forwarder);
  if (!own || !isAddressEqual(own, registryAddress))
    return problem(
      `${forwarder} serves ${own ?? 'no registry'}, and the settings name it for ${registryAddress}`,
      'Name the forwarder with its own registry in the settings, or deploy one for this registry.',
    );
  const admin = await adminOf(rpc, forwarder);
  const operated = await Promise.all(signers.map((signer) => isOperator(rpc, forwarder, signer, 'latest')));
  const missing = signers.filter((_, position) => !operated[position]);
  if (missing.length > 0)
    return problem(
      `${forwarder} takes no calls of ${missing.join(', ')}: nothing is sent through it`,
      `Its admin ${admin} calls addOperator(${missing.join(', ')}) on it.`,
    );
  const says = `${forwarder} serves the registry, its admin is ${admin}`;
  // The admin is in the storage, and changes neither code nor hash.
  if (code !== forwarderDeployment(registryAddress, admin).runtimeCode)
    return warning(
      `${says}, and its code is not that of this version`,
      'Make sure that you deployed it: docs/contracts.md.',
    );
  const operators = signers.length === 0 ? '' : `, its operator ${signers.join(', ')}`;
  return ok(`${says}${operators}`);
}

/** Reads which registry a forwarder serves; `undefined` of a contract that is none. */
async function registryOf(rpc: Rpc, forwarder: Address): Promise<Address | undefined> {
  const abi = [registryFunction] as const;
  try {
    const data = await callView(rpc, forwarder, encodeFunctionData({ abi }), 'latest');
    return decodeFunctionResult({ abi, data });
  } catch (error) {
    if (revertOf(error) !== undefined || error instanceof AbiDecodingZeroDataError) return undefined;
    throw error;
  }
}

/** Reads who may add operators to a forwarder. */
export async function adminOf(rpc: Rpc, forwarder: Address): Promise<Address> {
  const abi = [adminFunction] as const;
  const data = await callView(rpc, forwarder, encodeFunctionData({ abi }), 'latest');
  return decodeFunctionResult({ abi, data });
}
