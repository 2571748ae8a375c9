import type { Services } from '../../../../functions/domain/services.ts';
import { makeWorld, type World } from '../../../fakes/world/world.ts';

/** The handlers are composed once, and each run has a world of its own: what they were given follows. */
let served = makeWorld();

/** From now on the handlers work with this world. */
export function serve(world: World): void {
  served = world;
}

function following<Port extends object>(portOf: (world: World) => Port): Port {
  return new Proxy({} as Port, {
    get: (_, property) => {
      const port = portOf(served);
      const value: unknown = Reflect.get(port, property, port);
      return typeof value === 'function' ? value.bind(port) : value;
    },
  });
}

const services: Services = {
  records: following(({ records }) => records),
  executions: following(({ executions }) => executions),
  log: following(({ log }) => log),
  settings: served.settings,
  now: () => served.clock.now(),
  random: (size) => served.services.random?.(size) ?? new Uint8Array(size),
  chain: (id) => served.services.chain(id),
  signer: (keyId) => served.services.signer(keyId),
};

/** Stands in for adapters/compose-services.ts. */
export const composeServices = () => services;
export const requestLimits = {};

/** Stands in for adapters/compose-records.ts. */
export const composeRecords = () => services.records;
