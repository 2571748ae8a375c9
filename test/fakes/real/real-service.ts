import type { Services } from '../../../functions/domain/services.ts';
import { sweep } from '../../../functions/domain/steps/sweep.ts';
import type { FakeClock } from '../ports/fake-clock.ts';
import { FaultPlan, type Faults, invoke } from '../ports/faults.ts';
import { guarded } from '../ports/guarded.ts';
import type { Processes } from '../ports/processes.ts';
import { restrictedToRole } from '../ports/restricted-to-role.ts';
import { EventQueue } from '../workflow/event-queue.ts';
import { postsOf, waitsOf } from '../workflow/service-client.ts';
import { StateMachines } from '../workflow/state-machines.ts';
import { connectStepFunctions } from '../workflow/states-client.ts';
import { rethrowByName, workflowFunction } from '../workflow/workflow-functions.ts';
import type { RealWorldOptions } from './real-settings.ts';
import { makeRealWorld } from './real-world.ts';

const sweepSeconds = 60;

/** Events of real work. One may start while another waits for simulated time, but not while it waits for a port. */
class RealEventQueue extends EventQueue {
  readonly #processes: Processes;

  constructor(clock: FakeClock, processes: Processes) {
    super(clock);
    this.#processes = processes;
  }

  override after(seconds: number, action: () => unknown): void {
    const quiet = () => this.#processes.quiet();
    super.after(seconds, () => Promise.race([Promise.resolve(action()).then(quiet), quiet()]));
  }
}

/** Does the same as `runService` on the real adapters, in processes that AWS faults can kill and that may overlap. */
export async function runRealService(
  options: RealWorldOptions = {},
  { faults = new FaultPlan(), overlaps = false }: { faults?: Faults; overlaps?: boolean } = {},
) {
  const world = await makeRealWorld(options);
  const { clock, processes, chain } = world;
  const queue = overlaps ? new RealEventQueue(clock, processes) : new EventQueue(clock);
  const process = <Result>(run: (faulty: Services) => Promise<Result>): Promise<Result> =>
    processes.run(() => invoke(services, faults, run));
  const run = (name: string, event: unknown) =>
    process((faulty) => workflowFunction(name)(faulty, event)).catch(rethrowByName);
  const machines = new StateMachines(queue, clock.now, run, world.settings.taskTimeoutSeconds);
  const states = { ...world.services, executions: connectStepFunctions(machines, world.aws) };
  const { executions } = guarded(states, processes.guard);
  const services: Services = { ...world.services, executions };
  queue.every(chain.settings.blockTimeSeconds, () => chain.mine());
  queue.every(sweepSeconds, () =>
    process((faulty) => sweep(restrictedToRole('workflow/sweep', faulty))).catch(() => {}),
  );

  return {
    ...{ world, queue, machines, services, process },
    ...waitsOf({ queue, machines, world }),
    ...postsOf(process),
  };
}
