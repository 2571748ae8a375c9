import { type Block, findBlock } from './block.ts';
import { malformedAnswer, type Provider } from './provider.ts';

/** Number of requests after which the search stops. Binary search needs 30 for a billion blocks. */
const maxRequests = 60;

/** Picks a number strictly between the two blocks: by interpolation of time, or the middle. */
function pickBlockNumber(low: Block, high: Block, timestamp: number, byTime: boolean): number {
  const span = high.number - low.number;
  const share = (timestamp - low.timestamp) / Math.max(1, high.timestamp - low.timestamp);
  const guess = low.number + Math.round(span * (byTime ? share : 0.5));
  return Math.min(Math.max(guess, low.number + 1), high.number - 1);
}

/**
 * Finds the last block whose time is at most `timestamp`, from block 1 on; `undefined` if there is none, or if the
 * provider lacks old blocks.
 * @throws NodeRefusalError, ProviderFaultError
 */
export async function findLastBlockAt(provider: Provider, timestamp: number, newest: Block) {
  let [low, high] = [await findBlock(provider, 1), newest];
  if (high.timestamp <= timestamp) return high;
  if (!low || low.timestamp > timestamp) return undefined;
  for (let request = 0; request < maxRequests && high.number - low.number > 1; request++) {
    // Alternates between interpolation and the middle: interpolation converges slowly if block times are uneven.
    const number = pickBlockNumber(low, high, timestamp, request % 2 === 0);
    const block = await findBlock(provider, number);
    if (!block) return undefined;
    if (block.number !== number) throw malformedAnswer('eth_getBlockByNumber');
    [low, high] = block.timestamp <= timestamp ? [block, high] : [low, block];
  }
  return high.number - low.number > 1 ? undefined : low;
}
