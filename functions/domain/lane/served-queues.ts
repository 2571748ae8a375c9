import { registriesOf } from '../settings.ts';
import { type LaneState, parseLane, type Queue, queueName } from './lane.ts';
import type { LaneServices } from './lane-services.ts';

/** Returns the delegates and registries that the settings contain or once contained, without other lanes' keys. */
export function servedAddresses(services: LaneServices, ...states: readonly (LaneState | undefined)[]) {
  const recorded = states.filter((state) => state !== undefined);
  const { lane, signerAddress, laneChain } = services;
  const registries = registriesOf(laneChain.settings);
  const configured = registries.flatMap(({ delegates }) =>
    delegates.map((delegate) => (delegate === 'key' ? signerAddress : delegate)),
  );
  const former = recorded.flatMap((state) =>
    state.delegates.filter((each) => state.lane === lane || each !== parseLane(state.lane).signerAddress),
  );
  const named = registries.map(({ registryAddress }) => registryAddress);
  return {
    delegates: [...new Set([...configured, ...former])],
    registries: [...new Set([...named, ...recorded.flatMap((state) => state.registries)])],
  };
}

export function queuesOf(services: LaneServices, state: LaneState | undefined): Queue[] {
  const { chainId } = services;
  return servedAddresses(services, state).delegates.map((delegateAddress) => ({ chainId, delegateAddress }));
}

/** Whether the lane may send from a queue. A draining key sends only for itself; a leaked key sends nothing. */
export function maySendFrom({ lane, retired }: LaneState, queue: Queue): boolean {
  return retired === undefined || (retired === 'draining' && queueName(queue) === lane);
}

/** Whether the lane handles a queue: sends its operations or, if the key was revoked, ends them. */
export function isResponsibleFor(state: LaneState, queue: Queue): boolean {
  return queueName(queue) === state.lane || maySendFrom(state, queue);
}
