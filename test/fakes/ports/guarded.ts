import type { Services } from '../../../functions/domain/services.ts';

/** A function that runs instead of every call of a port. `effect` makes the call. */
export type Guard = <Result>(call: string, effect: () => Promise<Result>) => Promise<Result>;

/** Wraps every function of the port in the guard, and those of the registry inside a chain. */
function guardedPort<Port extends object>(guard: Guard, name: string, port: Port): Port {
  return new Proxy(port, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property, target);
      if (property === 'registry' && typeof value === 'object' && value) {
        return guardedPort(guard, 'registry', value);
      }
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => guard(`${name}.${String(property)}`, () => value.apply(target, args));
    },
  });
}

/** Wraps in a guard every call of the services that leaves the process. */
export function guarded(services: Services, guard: Guard): Services {
  return {
    ...services,
    records: guardedPort(guard, 'records', services.records),
    executions: guardedPort(guard, 'executions', services.executions),
    chain: (chainId) => guardedPort(guard, 'chain', services.chain(chainId)),
    signer: async (keyId) => guardedPort(guard, 'signer', await services.signer(keyId)),
  };
}
