import { numberToHex } from 'viem';
import type { Address, Hex } from '../hex.ts';
import { type Block, findBlock, readBlock } from './block.ts';
import {
  ContradictionError,
  malformedAnswer,
  NodeRefusalError,
  type Provider,
  ProviderFaultError,
} from './provider.ts';

type BlockParam = { readonly blockHash: Hex } | Hex;

/** The state at one block, as one provider returns it. */
export class BlockView {
  readonly block: Block;
  readonly #provider: Provider;
  #param: BlockParam;
  /** Whether a read has succeeded. If so, the node accepts the form of the block parameter. */
  #isAccepted = false;

  private constructor(provider: Provider, block: Block) {
    this.#provider = provider;
    this.block = block;
    this.#param = { blockHash: block.hash };
  }

  static async newest(provider: Provider): Promise<BlockView> {
    return new BlockView(provider, await readBlock(provider, 'latest'));
  }

  /** Reads a contract's code; `0x` if there is none. @throws NodeRefusalError, ProviderFaultError */
  code(address: Address): Promise<Hex> {
    return this.#read('eth_getCode', [address]);
  }

  /** Calls a contract; `undefined` if it reverts. @throws NodeRefusalError, ProviderFaultError */
  async call(to: Address, data: Hex): Promise<Hex | undefined> {
    try {
      return await this.#read('eth_call', [{ to, data }]);
    } catch (error) {
      if (error instanceof NodeRefusalError && error.reverted) return undefined;
      throw error;
    }
  }

  async isCanonical(): Promise<boolean> {
    return (await findBlock(this.#provider, this.block.number))?.hash === this.block.hash;
  }

  /** The first read finds out whether the node accepts a block by its hash. */
  async #read(method: string, params: readonly unknown[]): Promise<Hex> {
    try {
      const answer = await this.#request(method, params, this.#param);
      this.#isAccepted = true;
      return answer;
    } catch (error) {
      const isRefusal = error instanceof NodeRefusalError && !error.reverted;
      if (!isRefusal || this.#isAccepted || typeof this.#param === 'string') throw error;
      const blockNumber = numberToHex(this.block.number);
      const answer = await this.#request(method, params, blockNumber);
      this.#param = blockNumber;
      return answer;
    }
  }

  async #request(method: string, params: readonly unknown[], block: BlockParam): Promise<Hex> {
    const answer = (await this.#provider.requestPart(method, [...params, block])).hex();
    if (answer.length % 2 === 1) throw malformedAnswer(method);
    return answer;
  }
}

const attempts = 3;

/** Reads at the newest block, and retries if a reorg or a lagging node removes it meanwhile. @throws ProviderFaultError */
export async function readAtNewest<Answer>(provider: Provider, read: (view: BlockView) => Promise<Answer>) {
  for (let attempt = 1; ; attempt++) {
    try {
      const view = await BlockView.newest(provider);
      const answer = await read(view);
      if (await view.isCanonical()) return answer;
      if (attempt === attempts) throw new ProviderFaultError('returned a different block each time');
    } catch (error) {
      const isTransient = error instanceof NodeRefusalError || error instanceof ContradictionError;
      if (!isTransient) throw error;
      if (attempt === attempts) throw new ProviderFaultError(error.message);
    }
  }
}
