import type { Address } from 'viem';
import { type LaneState, parseLane, type Queue } from './lane.ts';
import type { Chain } from './ports.ts';

/** The delegates of the settings, as addresses; `key` is the lane's own. */
function configuredDelegates({ settings }: Chain, lane: string): Address[] {
  const { signerAddress } = parseLane(lane);
  return settings.delegates.map((delegate) => (delegate === 'key' ? signerAddress : delegate));
}

export function isConfigured(chain: Chain, lane: string, delegateAddress: Address): boolean {
  return configuredDelegates(chain, lane).includes(delegateAddress);
}

/** The queues that a lane sends from: those of the settings, and of delegates that were in them before. */
export function queuesOf(
  chain: Chain,
  { lane, formerDelegates = [] }: Pick<LaneState, 'lane' | 'formerDelegates'>,
): Queue[] {
  const { chainId } = chain.settings;
  const delegates = new Set([...configuredDelegates(chain, lane), ...formerDelegates]);
  return [...delegates].map((delegateAddress) => ({ chainId, delegateAddress }));
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
