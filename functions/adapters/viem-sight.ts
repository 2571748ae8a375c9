import type { Hash } from 'viem';
import type { Sighting, SightQuery } from '../domain/ports.ts';
import { count } from './viem-answers.ts';
import { blockByHash, blockByNumber, type HashedBlock, newestBlock } from './viem-blocks.ts';
import { findReceipt, type RpcReceipt, receiptOf } from './viem-receipt.ts';
import type { Rpc } from './viem-rpc.ts';

const isFound = <Found>(found: Found | undefined): found is Found => found !== undefined;

/** One request; one more only for the times of receipts in blocks that were not asked for. */
export async function sight(rpc: Rpc, query: SightQuery): Promise<Sighting> {
  const { signerAddress, hashes, blockNumbers } = query;
  const [head, minedCount, receipts, named] = await Promise.all([
    newestBlock(rpc),
    rpc('eth_getTransactionCount', [signerAddress, 'latest'], count),
    Promise.all(hashes.map((hash) => findReceipt(rpc, hash))),
    Promise.all(blockNumbers.map((blockNumber) => blockByNumber(rpc, blockNumber))),
  ]);
  const found = receipts.filter(isFound);
  const blocks = named.filter(isFound);
  const timestamps = await timestampsOf(rpc, found, [head, ...blocks]);
  return {
    head: { number: head.number, timestamp: head.timestamp },
    minedCount,
    receipts: new Map(
      found.map((one) => [one.transactionHash, receiptOf(one, timestamps.get(one.blockHash) ?? 0)]),
    ),
    blockHashes: new Map(blocks.map(({ number, hash }) => [number, hash])),
  };
}

/** By block hash: of the blocks known already, and of those that the receipts are in. */
async function timestampsOf(
  rpc: Rpc,
  receipts: readonly RpcReceipt[],
  known: readonly HashedBlock[],
): Promise<Map<Hash, number>> {
  const timestamps = new Map(known.map(({ hash, timestamp }) => [hash, timestamp]));
  const others = new Set(receipts.map(({ blockHash }) => blockHash).filter((hash) => !timestamps.has(hash)));
  const blocks = await Promise.all([...others].map((hash) => blockByHash(rpc, hash)));
  for (const { hash, timestamp } of blocks) timestamps.set(hash, timestamp);
  return timestamps;
}
