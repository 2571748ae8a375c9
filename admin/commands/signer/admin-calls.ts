import { delegateForwarderAbi as abi } from 'imprimatur-contracts/delegate-forwarder-abi';
import { type Address, encodeFunctionData, type Hash, type Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Chain } from '../../../functions/domain/chain.ts';
import { ChainUnreachableError, ExpectedError } from '../../../functions/domain/errors.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import type { ChainView } from '../../deployment/connect-chain.ts';
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
  to: Address,
  operator: Address,
): AdminCall {
  return { functionName, operator, to, data: encodeFunctionData({ abi, functionName, args: [operator] }) };
}

/** Text of a call for the holder of the admin's key, such as a multisig. */
export function adminCallText({ functionName, operator, to, data }: AdminCall): string {
  return `From the admin of forwarder ${to}, call ${functionName}(${operator}):\n  to    ${to}\n  data  ${data}`;
}

export interface SentCalls {
  readonly sent: readonly Hash[];
  /** Why the next call was not sent, or may not have been; `null` if all were sent, or there is no key to send with. */
  readonly refusal: ExpectedError | null;
}

/** Signs and sends the calls, until one would revert, fees are too high, a transaction is pending, or no provider accepts one. */
export async function sendAdminCalls(
  chain: Chain,
  connect: () => Promise<ChainView>,
  admin: PrivateKeyAccount,
  calls: readonly AdminCall[],
): Promise<SentCalls> {
  const sent: Hash[] = [];
  try {
    const counts = await (await connect()).transactionCounts(admin.address);
    // Send one after the other, because concurrent ones could reach a node in the wrong order.
    for (const { to, data } of calls) {
      const call = { to, data, name: "the admin's transaction" };
      const nonce = pickNonce({ ...counts, address: admin.address }, call) + sent.length;
      const { hash, raw } = await signCall(chain, admin, call, nonce);
      await chain.send(raw);
      sent.push(hash);
    }
  } catch (error) {
    if (error instanceof ExpectedError) return { sent, refusal: error };
    throw error;
  }
  return { sent, refusal: null };
}

export const sentLines = (sent: readonly Hash[]): string[] =>
  sent.map((hash) => `Sent the admin's transaction ${hash}.`);

export async function removalCalls(
  chain: Chain,
  address: Address,
  forwarders: readonly Address[],
): Promise<AdminCall[]> {
  // If the chain is unreachable, an unnecessary call is harmless.
  const operated = await Promise.all(
    forwarders.map((forwarder) => chain.isOperator(forwarder, address).catch(ifUnreachable(true))),
  );
  return forwarders
    .filter((_, position) => operated[position])
    .map((forwarder) => adminCall('removeOperator', forwarder, address));
}

/** Makes an error handler that returns a fallback if the chain is unreachable. */
export const ifUnreachable =
  <Value>(fallback: Value) =>
  (error: unknown): Value => {
    if (error instanceof ChainUnreachableError) return fallback;
    throw error;
  };

/** A remaining step on the chain before a key can send through its forwarders. */
export type MissingStep =
  | { readonly step: 'fund'; readonly address: Address }
  | { readonly step: 'addOperator'; readonly call: AdminCall }
  | {
      readonly step: 'finality';
      readonly forwarderAddress: Address;
      readonly confirmations: ChainSettings['confirmations'];
    };

/**
 * Finds the remaining steps in order: the key needs funds, and must be an operator of every forwarder at a final block.
 */
export async function missingSteps(
  chain: Chain,
  address: Address,
  forwarders: readonly Address[],
): Promise<MissingStep[]> {
  const { balance } = await chain.feeData(address);
  const steps = forwarders.map((forwarder) => operatorStep(chain, address, forwarder));
  const funding: MissingStep[] = balance === 0n ? [{ step: 'fund', address }] : [];
  return [...funding, ...(await Promise.all(steps)).flat()];
}

async function operatorStep(
  chain: Chain,
  address: Address,
  forwarderAddress: Address,
): Promise<MissingStep[]> {
  if (!(await chain.isOperator(forwarderAddress, address)))
    return [{ step: 'addOperator', call: adminCall('addOperator', forwarderAddress, address) }];
  const { confirmations } = chain.settings;
  // A forwarder that was just deployed does not exist yet at the final block.
  const isFinal = await chain
    .atFinal((view) => view.isOperator(forwarderAddress, address))
    .catch(ifUnreachable(false));
  return isFinal ? [] : [{ step: 'finality', forwarderAddress, confirmations }];
}

export function missingStepText(missing: MissingStep): string {
  if (missing.step === 'fund') return `Fund ${missing.address}, which pays for its transactions.`;
  if (missing.step === 'addOperator') return adminCallText(missing.call);
  const { forwarderAddress, confirmations } = missing;
  const depth = confirmations === 'finalized' ? confirmations : `${confirmations} blocks deep`;
  return `Wait until the call that added the operator to forwarder ${forwarderAddress} is ${depth}.`;
}
