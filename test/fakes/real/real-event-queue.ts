import type { FakeClock } from '../ports/fake-clock.ts';
import type { Processes } from '../ports/processes.ts';
import { EventQueue } from '../workflow/event-queue.ts';

/**
 * A queue of overlapping events in simulated time that do real work. An event happens while earlier ones wait for their
 * time to come, and never while one of them waits for a port.
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
