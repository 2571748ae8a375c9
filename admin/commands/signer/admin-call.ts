import { readFileSync } from 'node:fs';
import { type Address, encodeFunctionData, type Hash, type Hex, keccak256 } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { delegateForwarderAbi as abi } from '../../../contracts/artifacts/delegate-forwarder-abi.ts';
import type { Chain, Unsigned } from '../../../functions/domain/chain.ts';
import { ChainUnreachableError } from '../../../functions/domain/errors.ts';
import { estimateFees } from '../../../functions/domain/sending/fees.ts';
import { signedBytes, unsignedBytes } from '../../../functions/domain/sending/raw-transaction.ts';
import { AdminCallRefusedError, UsageInvalidError } from '../../terminal/errors.ts';

/** A call that a forwarder accepts only from its admin. */
export interface AdminCall {
  readonly functionName: 'addOperator' | 'removeOperator';
  readonly operator: Address;
  readonly to: Address;
  readonly data: Hex;
}

export function adminCall(
  functionName: AdminCall['functionName'],
  forwarderAddress: Address,
  operator: Address,
): AdminCall {
  const data = encodeFunctionData({ abi, functionName, args: [operator] });
  return { functionName, operator, to: forwarderAddress, data };
}

/** Text of a call for the holder of the admin's key, such as a multisig. */
export function adminCallText({ functionName, operator, to, data }: AdminCall): string {
  return `The admin of the forwarder ${to} calls ${functionName}(${operator}) on it:\n  to    ${to}\n  data  ${data}`;
}

/**
 * Signs and sends the calls with the admin's key.
 * @throws AdminCallRefusedError when a call would revert, or fees are too high.
 */
export async function sendAdminCalls(
  chain: Chain,
  admin: PrivateKeyAccount,
  calls: readonly AdminCall[],
): Promise<Hash[]> {
  const { address: signerAddress } = admin;
  const { minedCount } = await chain.snapshot({ signerAddress, hashes: [], blockNumbers: [] });
  const sent: Hash[] = [];
  // One after the other: two at once could reach a node in the wrong order.
  for (const call of calls) sent.push(await sendAdminCall(chain, admin, call, minedCount + sent.length));
  return sent;
}

async function sendAdminCall(
  chain: Chain,
  admin: PrivateKeyAccount,
  { to, data }: AdminCall,
  nonce: number,
): Promise<Hash> {
  const { gas, failures, feeData } = await chain.simulate({ from: admin.address, to, data }, 'key');
  const [reason] = failures.values();
  if (gas === undefined) throw new AdminCallRefusedError(to, reason ?? 'it would revert');
  const fees = estimateFees(feeData, chain.settings);
  if (!fees) throw new AdminCallRefusedError(to, "fees are above the chain's cap");
  const { chainId } = chain.settings;
  const gasLimit = (gas * 13n) / 10n;
  return signAndSend(chain, admin, { ...fees, chainId, nonce, to, data, gasLimit });
}

async function signAndSend(chain: Chain, admin: PrivateKeyAccount, unsigned: Unsigned): Promise<Hash> {
  const signature = await admin.sign({ hash: keccak256(unsignedBytes(unsigned)) });
  const raw = signedBytes(unsigned, signature);
  await chain.send(raw);
  return keccak256(raw);
}

/** Option for local use and small teams; with a multisig, the printed calldata is used instead. */
export const adminKeyOption = [
  '--admin-key-file <path>',
  "a file with the private key of the forwarders' admin: the transactions are sent and not only printed",
] as const;

/**
 * Reads the admin's key from a file; `undefined` without a path.
 * @throws UsageInvalidError that does not repeat the path: it may be the key itself, given by mistake.
 */
export function readAdminKey(path: string | undefined): PrivateKeyAccount | undefined {
  if (path === undefined) return undefined;
  const [, digits] = /^(?:0x)?([\da-f]{64})$/i.exec(readText(path)) ?? [];
  try {
    return privateKeyToAccount(`0x${digits}`);
  } catch {
    throw new UsageInvalidError('the file of --admin-key-file does not hold one private key in hexadecimal');
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new UsageInvalidError('the file of --admin-key-file cannot be read');
  }
}

/** Finds the calls with which the forwarders' admin removes the key as an operator. */
export async function removalCalls(
  chain: Chain,
  address: Address,
  forwarders: readonly Address[],
): Promise<AdminCall[]> {
  const operated = await Promise.all(
    forwarders.map((forwarder) => chain.isOperator(forwarder, address).catch(maybe)),
  );
  return forwarders
    .filter((_, position) => operated[position])
    .map((forwarder) => adminCall('removeOperator', forwarder, address));
}

/** Where the chain cannot be read, a superfluous call does no harm. */
function maybe(error: unknown): true {
  if (error instanceof ChainUnreachableError) return true;
  throw error;
}
