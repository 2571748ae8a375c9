import { EventQueue } from './event-queue.ts';
import type { FakeClock } from './fake-clock.ts';
import type { Processes } from './processes.ts';

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
