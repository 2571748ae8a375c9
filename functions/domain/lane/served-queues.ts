import { registriesOf } from '../settings.ts';
import { type LaneState, parseLane, type Queue, queueName } from './lane.ts';
import type { LaneServices } from './lane-services.ts';

/** Returns what the settings name and what lanes recorded under earlier settings, without other lanes' keys. */
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

export function queuesOf(services: LaneServices, state: LaneState | undefined): Queue[] {
  const { chainId } = services;
  return servedBy(services, state).delegates.map((delegateAddress) => ({ chainId, delegateAddress }));
}

/** Whether the lane may send from a queue. A key that is being replaced sends only for itself, a leaked key nothing. */
export function sendsFrom({ lane, retired }: LaneState, queue: Queue): boolean {
  return retired === undefined || (retired === 'draining' && queueName(queue) === lane);
}

/** Whether the lane handles a queue: sends its operations or, if the key was revoked, ends them. */
export function isResponsibleFor(state: LaneState, queue: Queue): boolean {
  return queueName(queue) === state.lane || sendsFrom(state, queue);
}
