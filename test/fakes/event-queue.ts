import type { FakeClock } from './fake-clock.ts';

interface Event {
  readonly at: number;
  readonly sequence: number;
  readonly action: () => Promise<void> | void;
}

/** Time as a list of things to come: each happens alone, at its moment, and the clock stands at it meanwhile. */
export class EventQueue {
  readonly #clock: FakeClock;
  #events: Event[] = [];
  #sequence = 0;

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  after(seconds: number, action: Event['action']): void {
    const at = this.#clock.now().getTime() + seconds * 1000;
    this.#events.push({ at, sequence: this.#sequence++, action });
  }

  every(seconds: number, action: Event['action']): void {
    this.after(seconds, async () => {
      await action();
      this.every(seconds, action);
    });
  }

  /** @returns whether it came true before the time was over */
  async until(done: () => Promise<boolean>, maxSeconds: number): Promise<boolean> {
    const end = this.#clock.now().getTime() + maxSeconds * 1000;
    while (!(await done())) {
      const next = this.#takeNext();
      if (!next || next.at > end) return false;
      this.#clock.moveTo(new Date(next.at));
      await next.action();
    }
    return true;
  }

  #takeNext(): Event | undefined {
    this.#events.sort((a, b) => a.at - b.at || a.sequence - b.sequence);
    return this.#events.shift();
  }
}
