import type { Services } from '../../../functions/domain/services.ts';
import { behind, type Guard } from '../../fakes/ports/behind.ts';

/** Where a process stops: at the nth call, counted from 1, of a port's function, or of any; before it has its effect, or after. */
export interface Halt {
  readonly call?: string;
  readonly nth?: number;
  readonly after?: boolean;
}

/** A process of the service that stands still, and goes on when it is told. */
export interface HeldProcess<Result> {
  /** The call at which it stands still, if it came there. */
  readonly heldAt: string | undefined;
  /** Lets it go on. */
  finish(): Promise<Result>;
}

/** Runs a function of the service until it is where it stops, or at its end if it never comes there. */
export async function holdProcess<Result>(
  services: Services,
  { call, nth = 1, after = false }: Halt,
  run: (services: Services) => Promise<Result>,
): Promise<HeldProcess<Result>> {
  const [halted, released] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  let seen = 0;
  const halt = async (name: string) => {
    halted.resolve(name);
    await released.promise;
  };
  const guard: Guard = async (name, effect) => {
    const isThere = (call === undefined || name === call) && ++seen === nth;
    if (isThere && !after) await halt(name);
    const result = await effect();
    if (isThere && after) await halt(name);
    return result;
  };
  const done = run(behind(services, guard));
  const heldAt = await Promise.race([halted.promise, done.then(() => undefined)]);
  return {
    heldAt,
    finish: () => {
      released.resolve();
      return done;
    },
  };
}
