import {
  type Address,
  getAddress,
  type Hash,
  type Hex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
  zeroAddress,
} from 'viem';

/** A signed transaction as the node sees it. */
export interface Pooled {
  readonly hash: Hash;
  readonly raw: Hex;
  readonly sender: Address;
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
  /** Both fees are the gas price of a legacy transaction. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly legacy: boolean;
  /** Made by somebody else who has the key: the service knows nothing of it. */
  readonly foreign?: true;
}

export async function decodeRaw(raw: Hex): Promise<Pooled> {
  const serializedTransaction = raw as TransactionSerialized;
  const parsed = parseTransaction(serializedTransaction);
  const { gasPrice = 0n, maxFeePerGas = gasPrice, maxPriorityFeePerGas = gasPrice, to } = parsed;
  return {
    ...{ hash: keccak256(raw), raw, maxFeePerGas, maxPriorityFeePerGas },
    sender: await recoverTransactionAddress({ serializedTransaction }),
    chainId: parsed.chainId ?? 0,
    nonce: parsed.nonce ?? 0,
    to: to ? getAddress(to) : zeroAddress,
    data: parsed.data ?? '0x',
    gas: parsed.gas ?? 0n,
    legacy: parsed.type === 'legacy',
  };
}

/** What miners ask, in wei per gas. */
export interface Price {
  readonly baseFee: bigint;
  readonly minTip: bigint;
}

/** Nodes want at least 10 % more in both fields, and strictly more. */
const isRaised = (fee: bigint, before: bigint): boolean => fee * 10n >= before * 11n && fee > before;

const slotOf = ({ sender, nonce }: Pick<Pooled, 'sender' | 'nonce'>): string => `${sender} ${nonce}`;

/** Unmined transactions of a node, one per sender and nonce. */
export class Mempool {
  readonly #waiting = new Map<string, Pooled>();

  /** @throws Error for what geth refuses by the same words. The same bytes again are no error. */
  add(transaction: Pooled): void {
    const before = this.#waiting.get(slotOf(transaction));
    if (before?.hash === transaction.hash) return;
    if (before && !replaces(transaction, before)) throw new Error('replacement transaction underpriced');
    this.#waiting.set(slotOf(transaction), transaction);
  }

  /** Without asking what it pays: it takes the place of any other at its nonce. */
  put(transaction: Pooled): void {
    this.#waiting.set(slotOf(transaction), transaction);
  }

  at(sender: Address, nonce: number): Pooled | undefined {
    return this.#waiting.get(slotOf({ sender, nonce }));
  }

  /** Takes the sender's next out of the pool, if it pays what miners ask. */
  take(sender: Address, nonce: number, { baseFee, minTip }: Price): Pooled | undefined {
    const next = this.at(sender, nonce);
    if (!next || next.maxFeePerGas < baseFee + minTip) return undefined;
    if (next.maxPriorityFeePerGas < minTip) return undefined;
    this.#waiting.delete(slotOf(next));
    return next;
  }

  senders(): Set<Address> {
    return new Set([...this.#waiting.values()].map(({ sender }) => sender));
  }

  /** Forgets the transactions at a nonce, as a node does when its pool is full or it restarts. */
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
