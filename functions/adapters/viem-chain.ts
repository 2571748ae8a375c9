import { type Hash, hexToNumber, type PublicClient, type RpcTransactionReceipt } from 'viem';
import { CallRevertedError, ChainUnreachableError } from '../domain/errors.ts';
import type { Block, Chain, FeeMarket, Receipt, Sighting } from '../domain/ports.ts';
import type { ChainSettings } from '../domain/settings.ts';
import { isAlreadyKnown, revertOf } from './viem-errors.ts';
import { type Ask, viemRegistry } from './viem-registry.ts';

/** `Chain` through viem. Every call is one round trip; those made together share one HTTP request. */
export function viemChain(settings: ChainSettings, connect: () => Promise<PublicClient>): Chain {
  const ask: Ask = async (call) => {
    try {
      return await call(await connect());
    } catch (cause) {
      if (cause instanceof ChainUnreachableError || cause instanceof CallRevertedError) throw cause;
      throw new ChainUnreachableError(settings.chainId, { cause });
    }
  };
  return {
    settings,
    registry: viemRegistry(ask),
    head: () => ask(newestBlock),
    finalBlock: () => ask((client) => finalBlock(client, settings.confirmations)),
    sight: (signerAddress, hashes) =>
      ask(async (client): Promise<Sighting> => {
        const [head, minedCount, receipts] = await Promise.all([
          newestBlock(client),
          client.getTransactionCount({ address: signerAddress }),
          Promise.all(hashes.map((hash) => receiptOf(client, hash))),
        ]);
        const found = receipts.filter((receipt) => receipt !== undefined);
        return { head, minedCount, receipts: new Map(found.map((receipt) => [receipt.hash, receipt])) };
      }),
    blockTimestamp: (blockHash) =>
      ask(async (client) => Number((await client.getBlock({ blockHash })).timestamp)),
    feeMarket: () => ask(feeMarket),
    estimateGas: ({ from, ...call }) =>
      ask((client) => reverting(client.estimateGas({ ...call, account: from }))),
    revertReason: ({ from, ...call }, blockNumber) =>
      ask(async (client) => {
        const simulated = client.call({ ...call, account: from, blockNumber: BigInt(blockNumber) });
        try {
          await reverting(simulated);
          return undefined;
        } catch (error) {
          if (error instanceof CallRevertedError) return error.reason;
          throw error;
        }
      }),
    send: (raw) =>
      ask(async (client) => {
        try {
          await client.sendRawTransaction({ serializedTransaction: raw });
        } catch (error) {
          if (!isAlreadyKnown(error)) throw error;
        }
      }),
  };
}

async function reverting<Result>(simulated: Promise<Result>): Promise<Result> {
  try {
    return await simulated;
  } catch (error) {
    const reason = revertOf(error);
    throw reason === undefined ? error : new CallRevertedError(reason);
  }
}

async function newestBlock(client: PublicClient): Promise<Block> {
  const { number, timestamp } = await client.getBlock();
  return { number: Number(number), timestamp: Number(timestamp) };
}

async function finalBlock(client: PublicClient, confirmations: number): Promise<Block> {
  const newest = await newestBlock(client);
  if (confirmations === 1) return newest;
  const { number, timestamp } = await client.getBlock({
    blockNumber: BigInt(Math.max(0, newest.number - confirmations + 1)),
  });
  return { number: Number(number), timestamp: Number(timestamp) };
}

/** An absent receipt is no error here: the transaction is not mined, or this provider lags. */
async function receiptOf(client: PublicClient, hash: Hash): Promise<Receipt | undefined> {
  const receipt: RpcTransactionReceipt | null = await client.request({
    method: 'eth_getTransactionReceipt',
    params: [hash],
  });
  return receipt
    ? {
        hash,
        succeeded: receipt.status === '0x1',
        blockHash: receipt.blockHash,
        blockNumber: hexToNumber(receipt.blockNumber),
      }
    : undefined;
}

/** The next block's base fee, and the median of the median tips of five blocks. */
async function feeMarket(client: PublicClient): Promise<FeeMarket> {
  const { baseFeePerGas, reward = [] } = await client.getFeeHistory({
    blockCount: 5,
    rewardPercentiles: [50],
  });
  const tips = reward.map(([tip = 0n]) => tip).sort((a, b) => (a < b ? -1 : 1));
  return { baseFee: baseFeePerGas.at(-1) ?? 0n, tip: tips[Math.floor(tips.length / 2)] ?? 0n };
}
