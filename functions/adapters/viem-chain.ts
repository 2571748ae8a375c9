import type { Client } from 'viem';
import { call, estimateGas, getBlock, getFeeHistory, sendRawTransaction } from 'viem/actions';
import { CallRevertedError, ChainUnreachableError } from '../domain/errors.ts';
import type { Block, Chain, FeeMarket } from '../domain/ports.ts';
import type { ChainSettings } from '../domain/settings.ts';
import { isAlreadyKnown, revertOf } from './viem-errors.ts';
import { type Ask, viemRegistry } from './viem-registry.ts';
import { blockOf, sight } from './viem-sight.ts';
import { within } from './within.ts';

export interface ViemChainOptions {
  readonly settings: ChainSettings;
  readonly connect: () => Promise<Client>;
  /** For one answer, whatever is asked of however many providers for it. */
  readonly patienceMilliseconds: number;
}

/** `Chain` through viem. Calls made together share one HTTP request. */
export function viemChain(options: ViemChainOptions): Chain {
  const { settings } = options;
  const ask = askOf(options);
  return {
    settings,
    registry: viemRegistry(ask),
    head: () => ask(async (client) => blockOf(await getBlock(client))),
    finalBlock: () => ask((client) => finalBlock(client, settings.confirmations)),
    sight: (signerAddress, hashes) => ask((client) => sight(client, signerAddress, hashes)),
    feeMarket: () => ask(feeMarket),
    estimateGas: ({ from, ...rest }) =>
      ask((client) => reverting(estimateGas(client, { ...rest, account: from }))),
    revertReason: ({ from, ...rest }, blockNumber) =>
      ask((client) =>
        reasonOf(reverting(call(client, { ...rest, account: from, blockNumber: BigInt(blockNumber) }))),
      ),
    send: (raw) =>
      ask(async (client) => {
        await sendRawTransaction(client, { serializedTransaction: raw }).catch((error: unknown) => {
          if (!isAlreadyKnown(error)) throw error;
        });
      }),
  };
}

function askOf({ settings, connect, patienceMilliseconds }: ViemChainOptions): Ask {
  return async (question) => {
    try {
      return await within(patienceMilliseconds, async () => question(await connect()));
    } catch (cause) {
      if (cause instanceof ChainUnreachableError || cause instanceof CallRevertedError) throw cause;
      throw new ChainUnreachableError(settings.chainId, { cause });
    }
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

async function reasonOf(simulated: Promise<unknown>): Promise<string | undefined> {
  try {
    await simulated;
    return undefined;
  } catch (error) {
    if (error instanceof CallRevertedError) return error.reason;
    throw error;
  }
}

async function finalBlock(client: Client, confirmations: number): Promise<Block> {
  const newest = blockOf(await getBlock(client));
  if (confirmations === 1) return newest;
  const number = Math.max(0, newest.number - confirmations + 1);
  return blockOf(await getBlock(client, { blockNumber: BigInt(number) }));
}

/** The next block's base fee, and the median of the median tips of five blocks. */
async function feeMarket(client: Client): Promise<FeeMarket> {
  const history = await getFeeHistory(client, { blockCount: 5, rewardPercentiles: [50] });
  const { baseFeePerGas, oldestBlock, reward = [] } = history;
  const tips = reward.map(([tip = 0n]) => tip).sort((a, b) => (a < b ? -1 : 1));
  return {
    // One base fee more than blocks: the last is of the block to come.
    blockNumber: Number(oldestBlock) + baseFeePerGas.length - 2,
    baseFee: baseFeePerGas.at(-1) ?? 0n,
    tip: tips[Math.floor(tips.length / 2)] ?? 0n,
  };
}
