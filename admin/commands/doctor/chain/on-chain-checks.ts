import { adminFunction, registryFunction } from 'imprimatur-contracts/delegate-forwarder-abi';
import { forwarderDeployment } from 'imprimatur-contracts/deploy/forwarder-deployment';
import { recognizeRegistry } from 'imprimatur-verifier';
import {
  AbiDecodingZeroDataError,
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  formatEther,
  type Hex,
  isAddressEqual,
} from 'viem';
import { callView } from '../../../../functions/adapters/chain/calls.ts';
import { isOperator } from '../../../../functions/adapters/chain/contracts.ts';
import { balanceOf } from '../../../../functions/adapters/chain/fee-data.ts';
import { finalViews } from '../../../../functions/adapters/chain/final-view.ts';
import { hex, type Rpc } from '../../../../functions/adapters/chain/rpc.ts';
import { revertOf } from '../../../../functions/adapters/chain/rpc-errors.ts';
import { blockAgeSeconds, durationText } from '../../../../functions/domain/age-limits.ts';
import {
  listOrganizations,
  type Organization,
} from '../../../../functions/domain/organization/organization.ts';
import {
  type ChainSettings,
  finalitySeconds,
  type RegistrySettings,
  type Settings,
} from '../../../../functions/domain/settings.ts';
import { daysLeft, maxDayCost } from '../../../../functions/domain/steps/report-funds.ts';
import type { Deployment } from '../../../deployment/command.ts';
import { readDelegation } from '../../delegation/read-delegation.ts';
import { notChecked, type Outcome, ok, problem, warning } from '../report.ts';
import type { Provider } from './provider-checks.ts';

const codeAt = (rpc: Rpc, address: Address): Promise<Hex> => rpc('eth_getCode', [address, 'latest'], hex);

export async function checkRegistry(
  rpc: Rpc,
  { chainId, revealDelaySeconds }: ChainSettings,
  { registryAddress }: RegistrySettings,
): Promise<Outcome> {
  const recognized = recognizeRegistry(chainId, registryAddress, await codeAt(rpc, registryAddress));
  if (!recognized)
    return problem(
      `there is no contract at ${registryAddress}`,
      'Fix registryAddress in the settings, or deploy a registry: npm run deploy --workspace contracts -- --help',
    );
  const { codeHash, version, codeIsKnown, revealDelaySeconds: delay } = recognized;
  const message = `${registryAddress} has code hash ${codeHash}`;
  if (version === undefined)
    return problem(
      `${message}, which is not a known registry's, so verifiers reject its attestations`,
      'Fix registryAddress in the settings.',
    );
  if (delay !== undefined && delay > revealDelaySeconds)
    return problem(
      `${message} (${version}) accepts reveals after ${delay} s, but the settings reveal after ${revealDelaySeconds} s`,
      `Set revealDelaySeconds to ${delay}.`,
    );
  return ok(`${message}: ${version}${codeIsKnown ? '' : ', known only by its address'}`);
}

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
      'Fix `delegates` in the settings, or deploy a forwarder: npm run deploy --workspace contracts -- --help',
    );
  const ownRegistry = await registryOf(rpc, forwarder);
  if (!ownRegistry || !isAddressEqual(ownRegistry, registryAddress))
    return problem(
      `${forwarder} serves ${ownRegistry ?? 'no registry'}, but the settings list it for ${registryAddress}`,
      'List the forwarder with its own registry in the settings, or deploy one for this registry.',
    );
  const admin = await adminOf(rpc, forwarder);
  const operated = await Promise.all(signers.map((signer) => isOperator(rpc, forwarder, signer, 'latest')));
  const missing = signers.filter((_, position) => !operated[position]);
  if (missing.length > 0)
    return problem(
      `${forwarder} rejects calls from ${missing.join(', ')}, so nothing is sent through it`,
      `From its admin ${admin}, call ${missing.map((signer) => `addOperator(${signer})`).join(' and ')}.`,
    );
  const message = `${forwarder} serves the registry and has the admin ${admin}`;
  if (code !== forwarderDeployment(registryAddress, admin).runtimeCode)
    return warning(
      `${message}, but its code differs from this version's`,
      'Make sure that you deployed it: see docs/contracts.md.',
    );
  const operators = signers.length === 0 ? '' : `; operators: ${signers.join(', ')}`;
  return ok(`${message}${operators}`);
}

/** Reads the registry of a forwarder; `undefined` for another contract. */
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

export async function adminOf(rpc: Rpc, forwarder: Address): Promise<Address> {
  const abi = [adminFunction] as const;
  const data = await callView(rpc, forwarder, encodeFunctionData({ abi }), 'latest');
  return decodeFunctionResult({ abi, data });
}

/** Finality is late above this multiple of its usual time. */
const lateFactor = 3;

/** Checks that each provider has the state of the final block, which confirmation needs. */
export async function checkFinality(
  settings: ChainSettings,
  providers: readonly Provider[],
  account: Address,
  now: Date,
): Promise<Outcome> {
  const { confirmations } = settings;
  const reads = await Promise.all(providers.map((provider) => readFinal(settings, provider, account)));
  const failed = reads.flatMap(({ provider, failure }) => (failure ? [`${provider.name}: ${failure}`] : []));
  const todo =
    confirmations === 'finalized'
      ? 'Use an archive provider, which keeps the state of final blocks, or set `confirmations` to a number.'
      : 'Use a provider that keeps the state of that many blocks, or lower `confirmations`.';
  const message = `the final state is not available from ${failed.join('; ')}`;
  if (failed.length === reads.length) return problem(message, todo);
  if (failed.length > 0) return warning(message, todo);
  const age = Math.min(...reads.flatMap(({ block }) => (block ? [blockAgeSeconds(block, now)] : [])));
  const usual = finalitySeconds(settings);
  const rule =
    confirmations === 'finalized' ? 'consensus' : `${confirmations} block${confirmations === 1 ? '' : 's'}`;
  const text = `by ${rule}; the newest final block is ${durationText(age)} old, usually ${durationText(Math.round(usual))}`;
  if (age > lateFactor * Math.max(usual, 60))
    return warning(text, 'Compare with an explorer, and wait: attestations are confirmed late.');
  return ok(text);
}

async function readFinal({ confirmations }: ChainSettings, provider: Provider, account: Address) {
  try {
    const view = await finalViews(confirmations)(provider.rpc);
    await view.minedCount(account);
    return { provider, block: view.block };
  } catch (error) {
    return { provider, failure: provider.failure(error) };
  }
}

/** Checks the balance of a signing key, and for how many days it suffices at worst. */
export async function checkSigner(rpc: Rpc, settings: ChainSettings, signer: Address): Promise<Outcome> {
  const balance = await balanceOf(rpc, signer);
  const day = formatEther(maxDayCost(settings));
  const reason =
    settings.dailyFeeBudget === undefined ? '30,000,000 gas at the fee cap' : 'the daily fee budget';
  const todo = `Send funds to it: a day costs at most ${day} (${reason}).`;
  if (balance === 0n) return problem(`${signer} has no funds, so nothing is sent`, todo);
  const days = daysLeft(settings, balance);
  const message = `${signer} has ${formatEther(balance)}, enough for ${days.toFixed(1)} days at worst, at ${day} a day (${reason})`;
  return days < 1 ? warning(message, todo) : ok(message);
}

/** Maximum number of organizations to read, and how many at the same time. */
const maxOrganizations = 200;
const concurrency = 10;

const maxNames = 5;

/** Checks delegations on a chain. A missing one is a warning only for organizations with this default chain. */
export async function checkDelegations(
  deployment: Deployment,
  settings: ChainSettings,
  { defaultChainId }: Settings,
): Promise<Outcome> {
  const { chainId } = settings;
  const all = await listOrganizations(deployment.records);
  if (all.length === 0)
    return notChecked('there are no organizations yet', 'Run npm run admin -- org create --help.');
  const organizations = all.slice(0, maxOrganizations);
  const active = await areActive(deployment, settings, organizations);
  const count = active.filter(Boolean).length;
  const total = all.length > maxOrganizations ? `the first ${maxOrganizations}` : `${all.length}`;
  const message = `the authorities of ${count} of ${total} organizations delegate to the service`;
  const isDefault = (org: Organization) => (org.defaultChainId ?? defaultChainId) === chainId;
  const undelegated = organizations.filter((org, position) => !active[position] && isDefault(org));
  if (undelegated.length === 0) return ok(message);
  const names = undelegated.slice(0, maxNames).map(({ name, id }) => `${name} (${id})`);
  const more = undelegated.length > maxNames ? ` and ${undelegated.length - maxNames} more` : '';
  return warning(
    `${message}; not those of ${names.join(', ')}${more}, whose default chain this is`,
    `Run npm run admin -- delegation status --chain ${chainId} --org ${undelegated[0]?.id}, and ask them to delegate.`,
  );
}

async function areActive(
  deployment: Deployment,
  settings: ChainSettings,
  organizations: readonly Organization[],
): Promise<boolean[]> {
  const active: boolean[] = [];
  for (let first = 0; first < organizations.length; first += concurrency) {
    const batch = organizations.slice(first, first + concurrency);
    const reads = batch.map(({ authorityAddress }) => readDelegation(deployment, settings, authorityAddress));
    active.push(...(await Promise.all(reads)).map((delegation) => delegation.active));
  }
  return active;
}
