import { registriesOf } from '../settings.ts';
import { type LaneState, parseLane, type Queue, queueName } from './lane.ts';
import type { LaneServices } from './lane-services.ts';

/**
 * What a lane may send to: the delegates and the registries of the settings, and those that lanes recorded while earlier
 * settings named them. Another lane's own key is no delegate of this one.
 */
export function servedBy(services: LaneServices, ...read: readonly (LaneState | undefined)[]) {
  const recorded = read.filter((one) => one !== undefined);
  const { lane, signerAddress, laneChain } = services;
  const registries = registriesOf(laneChain.settings);
  const configured = registries.flatMap(({ delegates }) =>
    delegates.map((delegate) => (delegate === 'key' ? signerAddress : delegate)),
  );
  const former = recorded.flatMap((one) =>
    one.delegates.filter((each) => one.lane === lane || each !== parseLane(one.lane).signerAddress),
  );
  const named = registries.map(({ registryAddress }) => registryAddress);
  return {
    delegates: [...new Set([...configured, ...former])],
    registries: [...new Set([...named, ...recorded.flatMap((one) => one.registries)])],
  };
}

/** The queues that a lane sends from: those of the delegates that it serves. */
export function queuesOf(services: LaneServices, state: LaneState | undefined): Queue[] {
  const { chainId } = services;
  return servedBy(services, state).delegates.map((delegateAddress) => ({ chainId, delegateAddress }));
}

/**
 * Whether the lane may send what waits in one of its queues. A key that is being replaced still sends as itself, because
 * no other key can; operations through a forwarder are its successor's. A key that leaked sends nothing.
 */
export function sendsFrom({ lane, retired }: LaneState, queue: Queue): boolean {
  return retired === undefined || (retired === 'draining' && queueName(queue) === lane);
}

/** Whether what waits in a queue is for this lane to see to: to send it or, as a key that was revoked, to end it. */
export function answersFor(state: LaneState, queue: Queue): boolean {
  return queueName(queue) === state.lane || sendsFrom(state, queue);
}
