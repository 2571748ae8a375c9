import { memberSkippedEvent } from 'imprimatur-contracts/attestation-registry-abi';
import { callFailedEvent, executedEvent } from 'imprimatur-contracts/delegate-forwarder-abi';
import { decodeEventLog, type Hash, hexToNumber, toEventSelector } from 'viem';
import type * as z from 'zod';
import type { ChainSnapshot, Receipt, SnapshotQuery } from '../../domain/chain.ts';
import { blockByNumber, type Confirmations, finalNumberOf, type HashedBlock, newestBlock } from './blocks.ts';
import { AnswerMalformedError, count, type Rpc, receipt } from './rpc.ts';

const isFound = <Found>(found: Found | undefined): found is Found => found !== undefined;

/** Reads a snapshot in one request. A second request reads the receipts' blocks that the first did not read. */
export async function snapshot(
  rpc: Rpc,
  confirmations: Confirmations,
  query: SnapshotQuery,
): Promise<ChainSnapshot> {
  const { signerAddress, hashes, blockNumbers } = query;
  const newest = newestBlock(rpc);
  const [head, finalNumber, minedCount, receipts, named] = await Promise.all([
    newest,
    finalNumberOf(rpc, confirmations, newest),
    rpc('eth_getTransactionCount', [signerAddress, 'latest'], count),
    Promise.all(hashes.map((hash) => findReceipt(rpc, hash))),
    Promise.all(blockNumbers.map((blockNumber) => blockByNumber(rpc, blockNumber))),
  ]);
  const { hash: _, ...shown } = head;
  const found = receipts.filter(isFound);
  const blocks = named.filter(isFound);
  const canonical = await blocksOf(rpc, found, [head, ...blocks]);
  return {
    head: shown,
    finalNumber: Math.min(finalNumber, head.number),
    minedCount,
    receipts: new Map(found.flatMap((one) => canonicalReceipt(one, canonical))),
    blockHashes: new Map(blocks.map(({ number, hash }) => [number, hash])),
  };
}

async function blocksOf(
  rpc: Rpc,
  receipts: readonly RpcReceipt[],
  known: readonly [head: HashedBlock, ...HashedBlock[]],
): Promise<Map<Hash, HashedBlock>> {
  const [head] = known;
  const numbers = receipts.map(({ blockNumber }) => blockNumber).filter((number) => number !== null);
  const isOther = (number: number) => number < head.number && !known.some((one) => one.number === number);
  const others = [...new Set(numbers.filter(isOther))];
  const blocks = await Promise.all(others.map((number) => blockByNumber(rpc, number)));
  const shown = [...known, ...blocks.filter(isFound)].filter(({ number }) => number <= head.number);
  return new Map(shown.map((one) => [one.hash, one]));
}

/** Omits a receipt whose block is not in `blocks`: it is a pre-confirmation, or the provider's nodes differ. */
function canonicalReceipt(found: RpcReceipt, blocks: ReadonlyMap<Hash, HashedBlock>): [Hash, Receipt][] {
  const block = found.blockHash && blocks.get(found.blockHash);
  return block && block.number === found.blockNumber
    ? [[found.transactionHash, parseRpcReceipt(found, block)]]
    : [];
}

type RpcReceipt = z.output<typeof receipt>;

/** Finds a receipt; `undefined` if the transaction is unmined or this provider lags. */
async function findReceipt(rpc: Rpc, hash: Hash): Promise<RpcReceipt | undefined> {
  const method = 'eth_getTransactionReceipt';
  const found = await rpc(method, [hash], receipt.nullable());
  if (found && found.transactionHash !== hash) throw new AnswerMalformedError(method);
  return found ?? undefined;
}

function parseRpcReceipt(found: RpcReceipt, block: HashedBlock): Receipt {
  return {
    hash: found.transactionHash,
    succeeded: found.status === '0x1' && !didNothing(found),
    blockHash: block.hash,
    blockNumber: block.number,
    blockTimestamp: block.timestamp,
    fee: found.gasUsed * found.effectiveGasPrice + (found.l1Fee ?? 0n) + operatorFee(found),
    failedPositions: failedPositions(found),
  };
}

/** An OP-stack operator's fee. The scalar is in millionths of a wei per gas, since Jovian in units of 100 wei. */
function operatorFee({ gasUsed, ...found }: RpcReceipt): bigint {
  const scaled = gasUsed * (found.operatorFeeScalar ?? 0n);
  const isJovian = found.daFootprintGasScalar !== undefined && found.daFootprintGasScalar !== null;
  return (isJovian ? scaled * 100n : scaled / 1_000_000n) + (found.operatorFeeConstant ?? 0n);
}

const topics = {
  callFailed: toEventSelector(callFailedEvent),
  executed: toEventSelector(executedEvent),
  memberSkipped: toEventSelector(memberSkippedEvent),
} as const;

function logsOf({ logs }: RpcReceipt, event: keyof typeof topics): RpcReceipt['logs'] {
  return logs.filter(({ topics: [topic] }) => topic === topics[event]);
}

/** Only the address that the transaction was sent to can be the forwarder. */
function isFromForwarder({ to }: RpcReceipt) {
  return ({ address }: RpcReceipt['logs'][number]) => address.toLowerCase() === to?.toLowerCase();
}

/** Returns the positions of failed calls that a forwarder or, for a batch, the registry reports. */
function failedPositions(found: RpcReceipt): number[] {
  const failed = logsOf(found, 'callFailed').filter(isFromForwarder(found));
  return [...failed, ...logsOf(found, 'memberSkipped')].flatMap(({ topics: [, position] }) =>
    position === undefined ? [] : [hexToNumber(position)],
  );
}

/** Whether the only call of a forwarder's transaction failed. The transaction succeeds anyway. */
function didNothing(found: RpcReceipt): boolean {
  const [executed] = logsOf(found, 'executed').filter(isFromForwarder(found));
  if (!executed) return false;
  const [topic, ...indexed] = executed.topics;
  if (topic === undefined) return false;
  const { args } = decodeEventLog({ abi: [executedEvent], topics: [topic, ...indexed], data: executed.data });
  return args.callCount === 1n && args.failureCount === 1n;
}
