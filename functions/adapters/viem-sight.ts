import {
  type Address,
  type Block as ChainBlock,
  type Client,
  type Hash,
  hexToNumber,
  type RpcTransactionReceipt,
} from 'viem';
import { getBlock, getTransactionCount } from 'viem/actions';
import type { Block, Receipt, Sighting } from '../domain/ports.ts';

export function blockOf({ number, timestamp }: Pick<ChainBlock, 'number' | 'timestamp'>): Block {
  return { number: Number(number), timestamp: Number(timestamp) };
}

/** Head, nonce and receipts in one request; one more only for receipts of older blocks, whose time is needed. */
export async function sight(
  client: Client,
  signerAddress: Address,
  hashes: readonly Hash[],
): Promise<Sighting> {
  const [head, minedCount, receipts] = await Promise.all([
    getBlock(client),
    getTransactionCount(client, { address: signerAddress }),
    Promise.all(hashes.map((hash) => rpcReceipt(client, hash))),
  ]);
  const found = receipts.filter((receipt) => receipt !== null);
  const older = new Set(found.map(({ blockHash }) => blockHash).filter((hash) => hash !== head.hash));
  const blocks = await Promise.all([...older].map((blockHash) => getBlock(client, { blockHash })));
  const timestamps = new Map([head, ...blocks].map(({ hash, timestamp }) => [hash, Number(timestamp)]));
  const timed = found.map((receipt) => receiptOf(receipt, timestamps.get(receipt.blockHash) ?? 0));
  return {
    head: blockOf(head),
    minedCount,
    receipts: new Map(timed.map((receipt) => [receipt.hash, receipt])),
  };
}

/** An absent receipt is no error here: the transaction is not mined, or this provider lags. */
function rpcReceipt(client: Client, hash: Hash): Promise<RpcTransactionReceipt | null> {
  const method = 'eth_getTransactionReceipt';
  return client.request({ method, params: [hash] }) as Promise<RpcTransactionReceipt | null>;
}

function receiptOf(receipt: RpcTransactionReceipt, blockTimestamp: number): Receipt {
  return {
    hash: receipt.transactionHash,
    succeeded: receipt.status === '0x1',
    blockHash: receipt.blockHash,
    blockNumber: hexToNumber(receipt.blockNumber),
    blockTimestamp,
  };
}
