import type { FakeClock } from '../ports/fake-clock.ts';
import type { Processes } from '../ports/processes.ts';
import { EventQueue } from '../workflow/event-queue.ts';

/**
 * Events beside one another in simulated time, with real work in them: each happens while what others began waits for
 * its time to come, and never while anything waits for a port.
 */
export class RealEventQueue extends EventQueue {
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
