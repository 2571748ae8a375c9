import { type Address, createPublicClient, type HttpTransport, http, type PublicClient } from 'viem';
import { stackMissing } from '../../local/stack/stack-file.ts';
import { type MinedCall, minedCalls } from './mined-calls.ts';

/** A transaction of the signer, as mined. */
export interface LaneTransaction {
  readonly nonce: number;
  /** The block's timestamp, in seconds since 1970. */
  readonly minedAt: number;
  readonly gasUsed: number;
  /** Calls in their order: one, or many through a forwarder; none in a cancellation. */
  readonly calls: readonly MinedCall[];
}

export type ReadingClient = PublicClient<HttpTransport>;

/** Makes a client that sends several reads as one request: blocks are read by the hundred. */
export function readingClient(rpcUrl: string): ReadingClient {
  return createPublicClient({ transport: http(rpcUrl, { batch: true, timeout: 60_000 }) });
}

/** Does the work for every item, with a limit on how many run at once. Outcomes are in the order of the items. */
async function runConcurrently<Item, Outcome>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [position, item] of queue) outcomes[position] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  return outcomes;
}

async function blockTransactions(client: ReadingClient, blockNumber: bigint, sender: Address) {
  const { timestamp, transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
  const ours = transactions.filter(({ from }) => from.toLowerCase() === sender.toLowerCase());
  return Promise.all(
    ours.map(async (transaction): Promise<LaneTransaction> => {
      const { nonce } = transaction;
      const receipt = await client.getTransactionReceipt(transaction);
      const calls = minedCalls(transaction, receipt);
      return { nonce, minedAt: Number(timestamp), gasUsed: Number(receipt.gasUsed), calls };
    }),
  );
}

/**
 * Reads every transaction of a sender from a block on, by nonce, from the blocks themselves and not from the service.
 */
export async function laneHistory(
  client: ReadingClient,
  sender: Address,
  fromBlock: bigint,
): Promise<LaneTransaction[]> {
  const newest = await client.getBlockNumber();
  const numbers = Array.from(
    { length: Number(newest - fromBlock) + 1 },
    (_, offset) => fromBlock + BigInt(offset),
  );
  const found = await runConcurrently(numbers, 32, (number) => blockTransactions(client, number, sender));
  return found.flat().sort((one, other) => one.nonce - other.nonce);
}

/** The state of a lane at a moment, from which its history is read. */
export interface LaneStart {
  readonly fromBlock: bigint;
  readonly firstNonce: number;
}

/**
 * Reads the state of a lane now.
 * @throws PlainError when the stack's chain does not answer: stack.json outlives the stack
 */
export async function laneStart(client: ReadingClient, signer: Address): Promise<LaneStart> {
  try {
    const blockNumber = await client.getBlockNumber();
    const firstNonce = await client.getTransactionCount({ address: signer, blockNumber });
    return { fromBlock: blockNumber + 1n, firstNonce };
  } catch (cause) {
    throw stackMissing(cause);
  }
}
