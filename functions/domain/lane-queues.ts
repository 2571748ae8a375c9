import type { Address } from 'viem';
import { type LaneState, parseLane, type Queue } from './lane.ts';
import type { Chain } from './ports.ts';

/** The delegates of the settings, as addresses; `key` is the lane's own. */
function configuredDelegates({ settings }: Chain, lane: string): Address[] {
  const { signerAddress } = parseLane(lane);
  return settings.delegates.map((delegate) => (delegate === 'key' ? signerAddress : delegate));
}

/** The queues that a lane sends from: those of the settings, and of delegates that operations were ever queued for. */
export function queuesOf(
  chain: Chain,
  { lane, delegates = [] }: Pick<LaneState, 'lane' | 'delegates'>,
): Queue[] {
  const { chainId } = chain.settings;
  const all = new Set([...configuredDelegates(chain, lane), ...delegates]);
  return [...all].map((delegateAddress) => ({ chainId, delegateAddress }));
}

/**
 * Whether the lane may bind what waits in a queue of its. A key being replaced still sends as itself, for nobody else
 * can; what goes through a forwarder is its successor's. One that leaked sends nothing.
 */
export function sendsFrom(
  { lane, retired }: Pick<LaneState, 'lane' | 'retired'>,
  { delegateAddress }: Queue,
): boolean {
  if (retired === undefined) return true;
  return retired === 'draining' && delegateAddress === parseLane(lane).signerAddress;
}

/** Whether what waits in a queue is for this lane to see to: to send it or, as a key that was revoked, to end it. */
export function answersFor(state: Pick<LaneState, 'lane' | 'retired'>, queue: Queue): boolean {
  return queue.delegateAddress === parseLane(state.lane).signerAddress || sendsFrom(state, queue);
}
