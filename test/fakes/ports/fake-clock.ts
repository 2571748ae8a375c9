export class FakeClock {
  #milliseconds: number;

  constructor(start: string) {
    this.#milliseconds = Date.parse(start);
  }

  readonly now = (): Date => new Date(this.#milliseconds);

  advance(seconds: number): void {
    this.#milliseconds += seconds * 1000;
  }

  moveTo(date: Date): void {
    this.#milliseconds = Math.max(this.#milliseconds, date.getTime());
  }
}
