import type { FaultKind, Faults } from '../../fakes/ports/faults.ts';
import { RandomFaults } from '../../fakes/workflow/random-faults.ts';
import type { Chance } from '../life/chance.ts';
import type { Scenario } from '../life/scenario.ts';
import type { Trace } from './trace.ts';

/** Random faults that note every call of a port in the trace. */
export class TracedFaults extends RandomFaults implements Faults {
  readonly #trace: Trace;

  constructor(scenario: Scenario, chance: Chance, trace: Trace) {
    super(chance.below, scenario.faultsOneIn, scenario.lateOneIn);
    this.#trace = trace;
  }

  override next(call: string): FaultKind | undefined {
    const kind = super.next();
    this.#trace.note(kind === undefined ? call : `${call} ${kind}`);
    return kind;
  }
}
