import type { RollupFees } from '../../../functions/domain/chain.ts';
import { TransactionRefusedError } from '../../../functions/domain/errors.ts';
import { costOf } from './block-maker.ts';
import type { Mempool, Pooled } from './mempool.ts';

/** An account as a node's newest block has it. */
export interface PoolAccount {
  /** Nonce of its next transaction. */
  readonly nonce: number;
  /** Wei. */
  readonly balance: bigint;
}

export const coin = 10n ** 18n;

/** Formats wei as geth's messages do. */
const inCoins = (wei: bigint): string => (Number(wei) / Number(coin)).toFixed(2);

const unfunded = 'insufficient funds for gas * price + value';

/** Rules by which a node takes what it is sent into its pool; each of them differs from node to node. */
export class PoolRules {
  /** Greatest cost of a transaction's gas, in wei. Geth's default; a node may have none. */
  feeCap = coin;
  /** The balance must cover all transactions of the account that wait, as geth's and reth's pools want it. */
  coversAll = true;
  /** A nonce that leaves one before it unused is refused, as some sequencers do; other nodes keep it until its turn. */
  refusesGaps = false;
  /** Transactions of one account that may wait; its very next is taken beyond them, as by reth. */
  slots = Number.POSITIVE_INFINITY;

  /** @throws Error in geth's words for a transaction that the node does not take, as the adapter tells it */
  check(
    transaction: Pooled,
    mempool: Mempool,
    { nonce, balance }: PoolAccount,
    rollupFees?: RollupFees,
  ): void {
    const cost = costOf(transaction, rollupFees);
    checkFeeCap(transaction, this.feeCap);
    if (transaction.nonce < nonce) throw new Error('nonce too low');
    if (cost > balance) throw new TransactionRefusedError(unfunded);
    const others = mempool.of(transaction.sender).filter((one) => one.nonce !== transaction.nonce);
    if (this.refusesGaps && isGapped(transaction, others, nonce)) throw new Error('nonce too high');
    const spent = others.reduce((sum, one) => sum + costOf(one, rollupFees), 0n);
    if (this.coversAll && spent + cost > balance) throw new TransactionRefusedError(unfunded);
    const isFurther =
      transaction.nonce > nonce && mempool.at(transaction.sender, transaction.nonce) === undefined;
    if (isFurther && others.length >= this.slots) throw new Error('account limit exceeded');
  }
}

/** @throws Error in the words of geth, as the adapter tells it */
export function checkFeeCap(transaction: Pooled, feeCap: bigint): void {
  const cost = costOf(transaction);
  if (cost > feeCap)
    throw new TransactionRefusedError(
      `tx fee (${inCoins(cost)} ether) exceeds the configured cap (${inCoins(feeCap)} ether)`,
    );
}

function isGapped({ nonce }: Pooled, others: readonly Pooled[], next: number): boolean {
  const waiting = new Set(others.map((one) => one.nonce));
  return Array.from({ length: nonce - next }, (_, place) => next + place).some((one) => !waiting.has(one));
}
