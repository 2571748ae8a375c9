export interface Event {
  /** Time of the event, in milliseconds since 1970. */
  readonly at: number;
  /** Order of events at the same time; the lower happens first. */
  readonly sequence: number;
  readonly action: () => unknown;
}

const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.sequence < b.sequence);

/** Future events, the next one on top: a binary heap. */
export class EventHeap {
  readonly #events: Event[] = [];

  push(event: Event): void {
    this.#events.push(event);
    let at = this.#events.length - 1;
    for (let parent = (at - 1) >> 1; at > 0 && this.#isBefore(at, parent); parent = (at - 1) >> 1) {
      this.#swap(at, parent);
      at = parent;
    }
  }

  get next(): Event | undefined {
    return this.#events[0];
  }

  pop(): Event | undefined {
    const { next } = this;
    const last = this.#events.pop();
    if (last && last !== next) {
      this.#events[0] = last;
      this.#sink();
    }
    return next;
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const child = this.#isBefore(right, left) ? right : left;
      if (!this.#isBefore(child, at)) return;
      this.#swap(at, child);
      at = child;
    }
  }

  #isBefore(position: number, other: number): boolean {
    const [event, otherEvent] = [this.#events[position], this.#events[other]];
    return event !== undefined && otherEvent !== undefined && isBefore(event, otherEvent);
  }

  #swap(position: number, other: number): void {
    const [event, otherEvent] = [this.#events[position], this.#events[other]];
    if (!event || !otherEvent) return;
    this.#events[position] = otherEvent;
    this.#events[other] = event;
  }
}
