import {
  type Address,
  type Hash,
  type Hex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
} from 'viem';

/** A signed transaction as the node sees it. */
export interface Pooled {
  readonly hash: Hash;
  readonly raw: Hex;
  readonly sender: Address;
  readonly chainId: number;
  readonly nonce: number;
  readonly data: Hex;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export async function decodeRaw(raw: Hex): Promise<Pooled> {
  const parsed = parseTransaction(raw as `0x02${string}`);
  const sender = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` });
  return {
    ...{ hash: keccak256(raw), raw, sender, chainId: parsed.chainId },
    nonce: parsed.nonce ?? 0,
    data: parsed.data ?? '0x',
    gas: parsed.gas ?? 0n,
    maxFeePerGas: parsed.maxFeePerGas ?? 0n,
    maxPriorityFeePerGas: parsed.maxPriorityFeePerGas ?? 0n,
  };
}

/** Nodes want at least 10 % more in both fields, and strictly more. */
const isRaised = (fee: bigint, before: bigint): boolean => fee * 10n >= before * 11n && fee > before;

/** Unmined transactions of a node, one per sender and nonce. */
export class Mempool {
  readonly #waiting = new Map<string, Pooled>();

  /** @throws Error for what geth refuses by the same words. The same bytes again are no error. */
  add(transaction: Pooled): void {
    const slot = `${transaction.sender} ${transaction.nonce}`;
    const before = this.#waiting.get(slot);
    if (before?.hash === transaction.hash) return;
    if (before && !replaces(transaction, before)) throw new Error('replacement transaction underpriced');
    this.#waiting.set(slot, transaction);
  }

  /** Takes the sender's next out of the pool, if it pays what miners ask. */
  take(sender: Address, nonce: number, price: { baseFee: bigint; minTip: bigint }): Pooled | undefined {
    const slot = `${sender} ${nonce}`;
    const next = this.#waiting.get(slot);
    if (!next || next.maxFeePerGas < price.baseFee + price.minTip) return undefined;
    if (next.maxPriorityFeePerGas < price.minTip) return undefined;
    this.#waiting.delete(slot);
    return next;
  }

  senders(): Set<Address> {
    return new Set([...this.#waiting.values()].map(({ sender }) => sender));
  }

  /** Forgets a transaction, as a node does when its pool is full or it restarts. */
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
