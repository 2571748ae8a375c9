import type { Life } from './life/seed.ts';
import { failureText } from './report.ts';

const lines = 20;

/** Reports every failure at once, and from time to time how many lives are done. */
export class Progress {
  readonly #seeds: number;
  readonly #real: boolean;
  readonly #say: (line: string) => void;
  #lived = 0;
  #failed = 0;
  #attestations = 0;

  constructor(seeds: number, real: boolean, say: (line: string) => void) {
    this.#seeds = seeds;
    this.#real = real;
    this.#say = say;
  }

  add(life: Life): void {
    this.#lived++;
    this.#attestations += life.tally.attestations ?? 0;
    if (life.failure !== undefined) {
      this.#failed++;
      this.#say(failureText(life, this.#real));
    }
    if (this.#lived % Math.ceil(this.#seeds / lines) > 0) return;
    const attestations = `${this.#attestations} attestations`;
    this.#say(`${this.#lived} of ${this.#seeds} seeds, ${attestations}, ${this.#failed} failed`);
  }
}
