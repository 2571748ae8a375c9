import { type Hash, hexToNumber, toEventSelector } from 'viem';
import type * as z from 'zod';
import { callFailedEvent } from '../../../contracts/artifacts/delegate-forwarder-abi.ts';
import type { ChainSnapshot, Receipt, SnapshotQuery } from '../../domain/chain.ts';
import { blockByHash, blockByNumber, type HashedBlock, newestBlock } from './blocks.ts';
import { AnswerMalformedError, count, type Rpc, receipt } from './rpc.ts';

const isFound = <Found>(found: Found | undefined): found is Found => found !== undefined;

/** Reads a snapshot in one request; in a second one only the times of receipts in blocks that were not asked for. */
export async function snapshot(rpc: Rpc, query: SnapshotQuery): Promise<ChainSnapshot> {
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
      found.map((one) => [one.transactionHash, parseRpcReceipt(one, timestamps.get(one.blockHash) ?? 0)]),
    ),
    blockHashes: new Map(blocks.map(({ number, hash }) => [number, hash])),
  };
}

/** Block times by block hash: of the blocks known already, and of those that the receipts are in. */
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

type RpcReceipt = z.output<typeof receipt>;

/** `undefined` is no error here: the transaction is not mined, or this provider lags. */
async function findReceipt(rpc: Rpc, hash: Hash): Promise<RpcReceipt | undefined> {
  const method = 'eth_getTransactionReceipt';
  const found = await rpc(method, [hash], receipt.nullable());
  if (found && found.transactionHash !== hash) throw new AnswerMalformedError(method);
  return found ?? undefined;
}

function parseRpcReceipt(found: RpcReceipt, blockTimestamp: number): Receipt {
  return {
    hash: found.transactionHash,
    succeeded: found.status === '0x1',
    blockHash: found.blockHash,
    blockNumber: found.blockNumber,
    blockTimestamp,
    fee: found.gasUsed * found.effectiveGasPrice + (found.l1Fee ?? 0n),
    failedPositions: failedPositions(found),
  };
}

const callFailedTopic = toEventSelector(callFailedEvent);

/** Only the address that the transaction was sent to can be the forwarder. The registry's own events are ignored. */
function failedPositions({ to, logs }: RpcReceipt): number[] {
  return logs
    .filter(({ address }) => address.toLowerCase() === to?.toLowerCase())
    .filter(({ topics: [topic] }) => topic === callFailedTopic)
    .flatMap(({ topics: [, position] }) => (position === undefined ? [] : [hexToNumber(position)]));
}
