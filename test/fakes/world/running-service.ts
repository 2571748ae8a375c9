import { expect } from 'vitest';
import type { RandomBytes, Services } from '../../../functions/domain/services.ts';
import { sweep } from '../../../functions/domain/steps/sweep.ts';
import { checkOutcomes } from '../checks/outcome-checks.ts';
import { FaultPlan, type Faults, invoke } from '../ports/faults.ts';
import { restrictedToRole } from '../ports/restricted-to-role.ts';
import { EventQueue } from '../workflow/event-queue.ts';
import { postsOf, waitsOf } from '../workflow/service-client.ts';
import { StateMachines } from '../workflow/state-machines.ts';
import { rethrowByName, workflowFunction } from '../workflow/workflow-functions.ts';
import { makeWorld } from './world.ts';

const sweepSeconds = 60;

export interface RunOptions {
  /** Functions run at the same time, instead of one after the other. */
  readonly overlaps?: boolean;
  readonly random?: RandomBytes;
  /** Whether a state's function runs twice at once this time, as Lambda may do. */
  readonly repeats?: () => boolean;
}

/** Runs the whole service in simulated time, on a chain that mines, with a sweep every minute. */
export function runService(
  faults: Faults = new FaultPlan(),
  options: Parameters<typeof makeWorld>[0] = {},
  { overlaps = false, random, repeats = () => false }: RunOptions = {},
) {
  const world = makeWorld(options);
  const { clock, chain, settings } = world;
  const queue = new EventQueue(clock, { overlaps });
  const process = <Result>(run: (faulty: Services) => Promise<Result>): Promise<Result> =>
    invoke(services, faults, run);
  const lambda = (name: string, event: unknown) => {
    const call = () => process((faulty) => workflowFunction(name)(faulty, event)).catch(rethrowByName);
    if (repeats()) call().catch(() => {});
    return call();
  };
  const machines = new StateMachines(queue, clock.now, lambda, settings.taskTimeoutSeconds);
  const services: Services = { ...world.services, executions: machines, ...(random ? { random } : {}) };
  queue.every(chain.settings.blockTimeSeconds, () => {
    // Actions of others are mined at once: they must not advance the chain's clock too far.
    if (chain.newest.timestamp * 1000 < clock.now().getTime()) chain.mine();
  });
  queue.every(sweepSeconds, () =>
    process((faulty) => sweep(restrictedToRole('workflow/sweep', faulty))).catch(() => {}),
  );

  const waits = waitsOf({ queue, machines, world });
  return {
    ...{ world, queue, machines, services, process },
    ...waits,
    ...postsOf(process),
    /** Waits until no work is left, and checks the rule of docs/faults.md. */
    finishAndCheck: async (maxSeconds?: number): Promise<void> => {
      expect(await waits.untilIdle(maxSeconds)).toBe(true);
      await checkOutcomes(world);
    },
  };
}

export type RunningService = ReturnType<typeof runService>;
