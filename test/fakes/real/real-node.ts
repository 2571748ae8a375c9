import { type Address, type Hash, type Hex, numberToHex } from 'viem';
import { decodeRaw, Mempool, type Pooled } from '../chain/mempool.ts';
import type { Reorg } from '../chain/simulated-blocks.ts';
import { RpcRefusal, type RpcRequester } from '../rpc/rpc-call.ts';
import type { Answerer } from '../rpc/rpc-proxy.ts';

export interface MinedBlock {
  readonly number: number;
  readonly timestamp: number;
  readonly hash: Hash;
  readonly transactions: readonly Pooled[];
}

export type RealReorg = Pick<Reorg, 'drop' | 'remine'>;

const gwei = 1_000_000_000n;

/** An anvil that keeps transactions that cannot be mined yet, as other nodes do. */
export class RealNode {
  readonly mempool = new Mempool();
  /** The block that was newest at the start, and those since. */
  readonly blocks: MinedBlock[] = [];
  /** Lowest tip that miners accept, in wei per gas. */
  minTip = 0n;
  /** Called with every transaction that comes through a provider, before the node handles it. */
  onSend: (hash: Hash, nonce: number, sender: Address) => unknown = () => {};
  readonly request: RpcRequester;
  #baseFee = 10n * gwei;
  #forks = 0;
  #lastTask: Promise<unknown> = Promise.resolve();

  private constructor(request: RpcRequester) {
    this.request = request;
  }

  /** Takes over an anvil, which no longer mines automatically. */
  static async takeOver(request: RpcRequester): Promise<RealNode> {
    const node = new RealNode(request);
    await request('evm_setAutomine', [false]);
    await node.#recordNewest([]);
    return node;
  }

  get baseFee(): bigint {
    return this.#baseFee;
  }

  async setBaseFee(baseFee: bigint): Promise<void> {
    this.#baseFee = baseFee;
    await this.request('anvil_setNextBlockBaseFeePerGas', [numberToHex(baseFee)]);
  }

  readonly accept: Answerer = async ({ params: [raw] = [] }) => {
    const transaction = await decodeRaw(raw as Hex);
    await this.onSend(transaction.hash, transaction.nonce, transaction.sender);
    return this.send(raw as Hex);
  };

  /** Accepts a transaction. @throws RpcRefusal with anvil's message, or with geth's for an underpriced replacement */
  send(raw: Hex): Promise<Hash> {
    return this.#serially(async () => {
      const transaction = await decodeRaw(raw);
      await this.request('eth_sendRawTransaction', [raw]).catch(unlessWaitable);
      this.#addToPool(transaction);
      return transaction.hash;
    });
  }

  /** Mines a block with every transaction that pays enough. @param timestamp in seconds since 1970 */
  mine(timestamp: number): Promise<void> {
    return this.#serially(async () => this.#mine(timestamp, await this.#offer()));
  }

  reorganize(depth: number, { drop, remine }: RealReorg = {}): Promise<void> {
    return this.#serially(async () => {
      const replaced = this.blocks.splice(-depth);
      await this.request('anvil_dropAllTransactions');
      await this.request('anvil_rollback', [replaced.length]);
      // With another miner, empty blocks have other hashes than before.
      await this.request('anvil_setCoinbase', [numberToHex(++this.#forks, { size: 20 })]);
      await this.setBaseFee(this.#baseFee);
      if (!drop) for (const one of replaced.flatMap(({ transactions }) => transactions)) this.#addToPool(one);
      for (const { timestamp } of replaced) await this.#mine(timestamp, remine ? await this.#offer() : []);
    });
  }

  async transactionCount(sender: Address): Promise<number> {
    return Number(await this.request('eth_getTransactionCount', [sender, 'latest']));
  }

  /** Sends to anvil the transactions of each sender that can be mined next. */
  async #offer(): Promise<Pooled[]> {
    await this.request('anvil_dropAllTransactions');
    const offered = await Promise.all([...this.mempool.senders()].map((sender) => this.#offerOf(sender)));
    return offered.flat();
  }

  async #offerOf(sender: Address): Promise<Pooled[]> {
    const offered: Pooled[] = [];
    for (let nonce = await this.transactionCount(sender); ; nonce++) {
      const next = this.mempool.take(sender, nonce, this);
      if (!next) return offered;
      offered.push(next);
      // A transaction that anvil refuses now, because of missing funds, waits for another block.
      await this.request('eth_sendRawTransaction', [next.raw]).catch(unlessRefused);
    }
  }

  async #mine(timestamp: number, offered: readonly Pooled[]): Promise<void> {
    await this.request('evm_setNextBlockTimestamp', [timestamp]);
    await this.request('evm_mine');
    await this.#recordNewest(offered);
  }

  /** Records the newest block. Offered transactions that anvil did not mine return to the pool. */
  async #recordNewest(offered: readonly Pooled[]): Promise<void> {
    const block = (await this.request('eth_getBlockByNumber', ['latest', false])) as RawBlock;
    const mined = new Set(block.transactions);
    for (const one of offered) if (!mined.has(one.hash)) this.#addToPool(one);
    this.blocks.push({
      ...{ number: Number(block.number), timestamp: Number(block.timestamp), hash: block.hash },
      transactions: offered.filter(({ hash }) => mined.has(hash)),
    });
    await this.setBaseFee(this.#baseFee);
  }

  /** @throws RpcRefusal if it replaces another transaction without paying enough more */
  #addToPool(transaction: Pooled): void {
    try {
      this.mempool.add(transaction);
    } catch (error) {
      throw new RpcRefusal({ code: -32000, message: (error as Error).message });
    }
  }

  /** Runs mining and sending one at a time. */
  #serially<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#lastTask.then(work);
    this.#lastTask = done.catch(() => {});
    return done;
  }
}

interface RawBlock {
  readonly number: Hex;
  readonly timestamp: Hex;
  readonly hash: Hash;
  readonly transactions: readonly Hash[];
}

/** Anvil refuses a transaction that pays less than the next block requires; most nodes let it wait. */
function unlessWaitable(error: unknown): void {
  if (!(error instanceof RpcRefusal) || !/less than block base fee/.test(error.message)) throw error;
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof RpcRefusal)) throw error;
}
