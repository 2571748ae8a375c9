import { delegateForwarderAbi as abi } from 'imprimatur-contracts/delegate-forwarder-abi';
import { type Address, encodeFunctionData, type Hash, type Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Chain } from '../../../functions/domain/chain.ts';
import { ChainUnreachableError } from '../../../functions/domain/errors.ts';
import type { ChainView } from '../../deployment/deployment.ts';
import { readKeyFile } from '../../deployment/key-file.ts';
import { pickNonce, signCall } from '../../deployment/send-call.ts';

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
 * @throws TransactionUnsentError when a call would revert, fees are too high, or the admin has a pending transaction.
 */
export async function sendAdminCalls(
  chain: Chain,
  view: ChainView,
  admin: PrivateKeyAccount,
  calls: readonly AdminCall[],
): Promise<Hash[]> {
  const counts = await view.transactionCounts(admin.address);
  const sent: Hash[] = [];
  // One after the other: two at once could reach a node in the wrong order.
  for (const { to, data } of calls) {
    const call = { to, data, what: "the admin's transaction" };
    const nonce = pickNonce({ ...counts, address: admin.address }, call) + sent.length;
    const { hash, raw } = await signCall(chain, admin, call, nonce);
    await chain.send(raw);
    sent.push(hash);
  }
  return sent;
}

/** Option for local use and small teams; with a multisig, the printed calldata is used instead. */
export const adminKeyOption = [
  '--admin-key-file <path>',
  "a file with the private key of the forwarders' admin: the transactions are sent and not only printed",
] as const;

/** Reads the admin's key from a file; `undefined` without a path. @throws UsageInvalidError */
export function readAdminKey(path: string | undefined): PrivateKeyAccount | undefined {
  return path === undefined ? undefined : readKeyFile('--admin-key-file', path);
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
