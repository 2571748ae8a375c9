import { createHash } from 'node:crypto';
import type { Clock } from '../../../functions/domain/services.ts';
import type { FaultKind, Faults } from '../../fakes/ports/faults.ts';
import { RandomFaults } from '../../fakes/workflow/random-faults.ts';
import type { Scenario, SeededChoices } from './scenario.ts';

/** Hash of all events, in their order: two runs with the same hash had the same events. */
export class Trace {
  readonly #hash = createHash('sha256');
  readonly #print: (line: string) => void;
  #now: Clock = () => new Date(0);

  /** @param print receives every line too, for debugging */
  constructor(print: (line: string) => void = () => {}) {
    this.#print = print;
  }

  /** Adds the time of this clock to later lines. */
  useClock(now: Clock): void {
    this.#now = now;
  }

  note(event: string): void {
    const line = `${this.#now().toISOString()} ${event}`;
    this.#hash.update(`${line}\n`);
    this.#print(line);
  }

  /** The first 128 bits of the hash so far, in hexadecimal. */
  digest(): string {
    return this.#hash.copy().digest('hex').slice(0, 32);
  }
}

/** Random faults that note every call of a port in the trace. */
export class TracedFaults extends RandomFaults implements Faults {
  readonly #trace: Trace;

  constructor(scenario: Scenario, choices: SeededChoices, trace: Trace) {
    super(choices.below, scenario.faultsOneIn, scenario.lateOneIn);
    this.#trace = trace;
  }

  override next(call: string): FaultKind | undefined {
    const kind = super.next();
    this.#trace.note(kind === undefined ? call : `${call} ${kind}`);
    return kind;
  }
}
