import type { Hash } from 'viem';
import type { Receipt } from '../../../functions/domain/chain.ts';
import type { SimulatedBlock } from './block-maker.ts';
import type { Branch } from './stale-fork.ts';

/**
 * A node of the simulated chain, by what it does not show. Providers that share one node in several places of the
 * chain's list are independent in name only.
 */
export class SimulatedNode {
  /** The node cannot be reached, and another one answers. */
  unreachable = false;
  /** Number of the newest blocks that the node has not heard of. */
  lagBlocks = 0;
  /** Number of the block at which its head stands, while the chain goes on. */
  standsAt = Number.POSITIVE_INFINITY;
  /** Number of the block at which what it calls final stands. */
  finalStandsAt = Number.POSITIVE_INFINITY;
  /** The node still shows the branch that the last reorganisation replaced, and no block above. */
  isOnStaleFork = false;
  /** Depth below which receipts are pruned: the node finds none, although its nonces show that they were mined. */
  receiptsKept = Number.POSITIVE_INFINITY;
}

/** What a node shows at one moment. All of it is of one branch, up to one head. */
export class NodeView {
  readonly head: SimulatedBlock;
  readonly final: SimulatedBlock;
  readonly branch: Branch;
  readonly #receiptsKept: number;

  /** @param confirmations depth of a final block, its own included */
  constructor(branch: Branch, node: SimulatedNode, confirmations: number) {
    const { newest } = branch;
    const blockAt = (number: number) => branch.blockAt(Math.max(0, number)) ?? newest;
    this.branch = branch;
    this.head = blockAt(Math.min(newest.number - node.lagBlocks, node.standsAt));
    this.final = blockAt(Math.min(this.head.number - confirmations + 1, node.finalStandsAt));
    this.#receiptsKept = node.receiptsKept;
  }

  /** The block with that number, if the node has heard of it. */
  blockAt(number: number): SimulatedBlock | undefined {
    return number <= this.head.number ? this.branch.blockAt(number) : undefined;
  }

  receiptOf(hash: Hash): Receipt | undefined {
    const receipt = this.branch.minedWith(hash)?.receipt;
    if (!receipt || receipt.blockNumber > this.head.number) return undefined;
    return this.head.number - receipt.blockNumber < this.#receiptsKept ? receipt : undefined;
  }
}
