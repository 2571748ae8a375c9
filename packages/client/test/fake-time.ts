import type { Clock } from '../src/imprimatur.ts';

/** A clock on which waiting takes no time; it knows how long was waited. */
export class FakeTime implements Clock {
  readonly slept: number[] = [];
  #nowMs = Date.parse('2026-11-21T12:00:00Z');

  now(): number {
    return this.#nowMs;
  }

  async sleep(seconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(seconds);
    this.#nowMs += seconds * 1000;
  }
}
