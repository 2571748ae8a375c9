import { setImmediate } from 'node:timers/promises';
import type { FakeClock } from '../ports/fake-clock.ts';

interface Event {
  readonly time: number;
  readonly action: () => unknown;
}

/** Future events that advance the clock. Each runs to its end before the next starts, unless events overlap. */
export class EventQueue {
  readonly #clock: FakeClock;
  readonly #overlaps: boolean;
  /** In the order of their times; events of the same time, in the order in which they were added. */
  readonly #events: Event[] = [];

  constructor(clock: FakeClock, { overlaps = false } = {}) {
    this.#clock = clock;
    this.#overlaps = overlaps;
  }

  after(seconds: number, action: Event['action']): void {
    const time = this.#clock.now().getTime() + seconds * 1000;
    const before = this.#events.findLastIndex((event) => event.time <= time);
    this.#events.splice(before + 1, 0, { time, action });
  }

  every(seconds: number, action: Event['action']): void {
    this.after(seconds, async () => {
      await action();
      this.every(seconds, action);
    });
  }

  /** Runs events until the condition holds. @returns whether it did in time */
  async until(done: () => Promise<boolean>, maxSeconds: number): Promise<boolean> {
    const end = this.#clock.now().getTime() + maxSeconds * 1000;
    while (!(await done())) {
      const [next] = this.#events;
      if (!next || next.time > end) return false;
      this.#events.shift();
      this.#clock.moveTo(new Date(next.time));
      const happening = Promise.resolve(next.action());
      if (!this.#overlaps) await happening;
      else await Promise.race([happening, setImmediate()]);
    }
    return true;
  }
}
