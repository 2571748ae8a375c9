import {
  type Address,
  getAddress,
  type Hash,
  type Hex,
  keccak256,
  parseTransaction,
  type TransactionSerialized,
  zeroAddress,
} from 'viem';
import type { RollupFees } from '../../../functions/domain/chain.ts';
import { TransactionRefusedError } from '../../../functions/domain/errors.ts';
import { senderOf } from './senders.ts';

export interface Pooled {
  readonly hash: Hash;
  readonly raw: Hex;
  readonly sender: Address;
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
  /** Both fees equal the gas price of a legacy transaction. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly legacy: boolean;
  /** Created by another holder of the key, and unknown to the service. */
  readonly foreign?: true;
}

export async function decodeRaw(raw: Hex): Promise<Pooled> {
  const parsed = parseTransaction(raw as TransactionSerialized);
  const { gasPrice = 0n, maxFeePerGas = gasPrice, maxPriorityFeePerGas = gasPrice, to } = parsed;
  const hash = keccak256(raw);
  return {
    ...{ hash, raw, maxFeePerGas, maxPriorityFeePerGas },
    sender: await senderOf(raw, hash),
    chainId: parsed.chainId ?? 0,
    nonce: parsed.nonce ?? 0,
    to: to ? getAddress(to) : zeroAddress,
    data: parsed.data ?? '0x',
    gas: parsed.gas ?? 0n,
    legacy: parsed.type === 'legacy',
  };
}

export function costOf({ gas, maxFeePerGas }: Pooled, rollupFees?: RollupFees): bigint {
  return gas * maxFeePerGas + rollupFee(gas, rollupFees);
}

export function rollupFee(gas: bigint, fees?: RollupFees): bigint {
  if (!fees) return 0n;
  return fees.dataFee + fees.operatorFeeConstant + (gas * fees.operatorFeePerMillionGas) / 1_000_000n;
}

export interface Price {
  readonly baseFee: bigint;
  readonly minTip: bigint;
}

/** Nodes require a replacement to pay at least 10 % more in both fields, and more than zero if the old fee is zero. */
const isRaised = (fee: bigint, before: bigint): boolean => fee * 10n >= before * 11n && fee > before;

const slotOf = ({ sender, nonce }: Pick<Pooled, 'sender' | 'nonce'>): string => `${sender} ${nonce}`;

/** Unmined transactions of a node, one per sender and nonce. */
export class Mempool {
  readonly #waiting = new Map<string, Pooled>();

  /** Adds a transaction, or ignores one it has. @throws Error with geth's message if geth would refuse it */
  add(transaction: Pooled): void {
    const before = this.#waiting.get(slotOf(transaction));
    if (before?.hash === transaction.hash) return;
    if (before && !replaces(transaction, before)) throw new Error('replacement transaction underpriced');
    this.#waiting.set(slotOf(transaction), transaction);
  }

  put(transaction: Pooled): void {
    this.#waiting.set(slotOf(transaction), transaction);
  }

  find(sender: Address, nonce: number): Pooled | undefined {
    return this.#waiting.get(slotOf({ sender, nonce }));
  }

  transactionsOf(sender: Address): Pooled[] {
    return [...this.#waiting.values()].filter((one) => one.sender === sender);
  }

  /** Removes the sender's next transaction from the pool if it pays the miners' minimum. */
  take(sender: Address, nonce: number, { baseFee, minTip }: Price): Pooled | undefined {
    const next = this.find(sender, nonce);
    if (!next || next.maxFeePerGas < baseFee + minTip) return undefined;
    if (next.maxPriorityFeePerGas < minTip) return undefined;
    this.#waiting.delete(slotOf(next));
    return next;
  }

  senders(): Set<Address> {
    return new Set([...this.#waiting.values()].map(({ sender }) => sender));
  }

  /** Drops the transactions at a nonce, as a node does when its pool is full or it restarts. */
  drop(nonce: number): void {
    for (const [slot, waiting] of this.#waiting) if (waiting.nonce === nonce) this.#waiting.delete(slot);
  }

  nonces(): number[] {
    return [...this.#waiting.values()].map(({ nonce }) => nonce).sort((a, b) => a - b);
  }
}

function replaces(after: Pooled, before: Pooled): boolean {
  return (
    isRaised(after.maxFeePerGas, before.maxFeePerGas) &&
    isRaised(after.maxPriorityFeePerGas, before.maxPriorityFeePerGas)
  );
}

export interface PoolAccount {
  readonly nonce: number;
  readonly balance: bigint;
}

const coin = 10n ** 18n;

/** Formats wei in the way of geth's messages. */
const inCoins = (wei: bigint): string => (Number(wei) / Number(coin)).toFixed(2);

const unfunded = 'insufficient funds for gas * price + value';

/** Rules for accepting transactions into a pool, which differ between nodes. */
export class PoolRules {
  /** Maximum gas cost of a transaction in wei: geth's default; a node may have none. */
  feeCap = coin;
  /** The balance must cover all waiting transactions of the account, as in geth and reth. */
  coversAll = true;
  /** Nonce gaps are refused, as by some sequencers; other nodes keep such transactions. */
  refusesGaps = false;
  /** Maximum waiting transactions of an account; the next nonce is accepted beyond it, as by reth. */
  slots = Number.POSITIVE_INFINITY;

  /** @throws Error with geth's message, as the adapter passes it on, if the node does not accept the transaction */
  check(
    transaction: Pooled,
    mempool: Mempool,
    { nonce, balance }: PoolAccount,
    rollupFees?: RollupFees,
  ): void {
    const cost = costOf(transaction, rollupFees);
    const gasCost = costOf(transaction);
    if (gasCost > this.feeCap)
      throw new TransactionRefusedError(
        `tx fee (${inCoins(gasCost)} ether) exceeds the configured cap (${inCoins(this.feeCap)} ether)`,
      );
    if (transaction.nonce < nonce) throw new Error('nonce too low');
    if (cost > balance) throw new TransactionRefusedError(unfunded);
    const others = mempool
      .transactionsOf(transaction.sender)
      .filter((one) => one.nonce !== transaction.nonce);
    if (this.refusesGaps && leavesGap(transaction, others, nonce)) throw new Error('nonce too high');
    const spent = others.reduce((sum, one) => sum + costOf(one, rollupFees), 0n);
    if (this.coversAll && spent + cost > balance) throw new TransactionRefusedError(unfunded);
    const isFurther =
      transaction.nonce > nonce && mempool.find(transaction.sender, transaction.nonce) === undefined;
    if (isFurther && others.length >= this.slots) throw new Error('account limit exceeded');
  }
}

function leavesGap({ nonce }: Pooled, others: readonly Pooled[], next: number): boolean {
  const waiting = new Set(others.map((one) => one.nonce));
  return Array.from({ length: nonce - next }, (_, place) => next + place).some((one) => !waiting.has(one));
}
