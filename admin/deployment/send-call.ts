import { type Address, type Hex, keccak256 } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Chain, UnsignedTx } from '../../functions/domain/chain.ts';
import { signedBytes, unsignedBytes } from '../../functions/domain/raw-transaction.ts';
import { estimateFees, policyFor } from '../../functions/domain/sending/fees.ts';
import { TransactionNotSentError } from '../terminal/errors.ts';
import type { TransactionCounts } from './connect-chain.ts';

/** A call that an operator pays for with their own key. */
export interface OperatorCall {
  readonly to: Address;
  readonly data: Hex;
  /** Name for errors, such as "the admin's transaction". */
  readonly name: string;
}

/** Maximum gas limit, far above what a call of an operator needs. */
const maxGas = 1_000_000n;

export interface Sender extends TransactionCounts {
  readonly address: Address;
}

export const hasPending = ({ mined, known }: TransactionCounts): boolean => known > mined;

function pendingText({ address, mined, known }: Sender): string {
  return known - mined === 1
    ? `${address} has a pending transaction (nonce ${mined}); run this again when it is mined`
    : `${address} has ${known - mined} pending transactions (nonces ${mined} to ${known - 1}); run this again when they are mined`;
}

/**
 * Picks the nonce of a call. With a pending transaction, the operator has to choose the nonce: the same one would
 * replace the transaction, and a later one could repeat an earlier run.
 * @param advice other ways to continue
 * @throws TransactionNotSentError
 */
export function pickNonce(
  sender: Sender,
  { to, name }: Pick<OperatorCall, 'to' | 'name'>,
  chosen?: number,
  advice = '',
): number {
  const { mined, known } = sender;
  const notSent = (reason: string) => new TransactionNotSentError(name, to, reason);
  if (chosen === undefined && hasPending(sender)) throw notSent(`${pendingText(sender)}${advice}`);
  if (chosen !== undefined && chosen < mined)
    throw notSent(`nonce ${chosen} is already used; the next nonce is ${mined}`);
  if (chosen !== undefined && chosen > known)
    throw notSent(`nonce ${chosen} would leave a gap; the next nonce is ${known}`);
  return chosen ?? mined;
}

/** Signs a call without sending it. @throws TransactionNotSentError if it would revert, or gas or fees are too high */
export async function signCall(
  chain: Pick<Chain, 'simulate' | 'settings'>,
  sender: PrivateKeyAccount,
  { to, data, name }: OperatorCall,
  nonce: number,
) {
  const { gas, failures, feeData } = await chain.simulate({ from: sender.address, to, data }, 'key');
  const [reason] = failures.values();
  if (gas === undefined) throw new TransactionNotSentError(name, to, reason ?? 'it would revert');
  const gasLimit = (gas * 13n) / 10n;
  // A contract wallet could use any amount to check its signature.
  if (gasLimit > maxGas)
    throw new TransactionNotSentError(
      name,
      to,
      `it would use ${gas} gas, so its gas limit would exceed ${maxGas}`,
    );
  const fees = estimateFees(feeData, policyFor(chain.settings, gasLimit));
  if (!fees) throw new TransactionNotSentError(name, to, "fees are above the chain's cap");
  const { chainId } = chain.settings;
  const unsigned: UnsignedTx = { ...fees, chainId, nonce, to, data, gasLimit };
  const signature = await sender.sign({ hash: keccak256(unsignedBytes(unsigned)) });
  const raw = signedBytes(unsigned, signature);
  return { hash: keccak256(raw), raw };
}
