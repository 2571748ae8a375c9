import type { Operation } from './lane.ts';
import { nextOperations } from './lane-records.ts';
import type { Records } from './records.ts';

/** A queue no longer than this is read once; of a longer one each turn reads one operation. */
const windowSize = 8;

/** Organisations whose oldest operation may be found unready before the pump leaves the rest to the next one. */
const maxSkips = 16;

/**
 * Whose turn it is: organisation after organisation, each one's oldest operation first, so that neither thousands of
 * one nor one that cannot go yet hold up the others.
 */
export class Turns {
  readonly #records: Records;
  readonly #lane: string;
  readonly #skipped = new Set<string>();
  /** The whole queue, when it is short. */
  #window: Operation[] | undefined;
  #servedOrganizationId: string;

  private constructor(records: Records, lane: string, servedOrganizationId: string) {
    this.#records = records;
    this.#lane = lane;
    this.#servedOrganizationId = servedOrganizationId;
  }

  static async open(records: Records, lane: string, servedOrganizationId = ''): Promise<Turns> {
    const turns = new Turns(records, lane, servedOrganizationId);
    const operations = await nextOperations(records, lane, servedOrganizationId, windowSize);
    if (operations.length < windowSize) turns.#window = operations;
    return turns;
  }

  /** The operation whose turn it is; nothing when there is none, or none that was not skipped. */
  async next(): Promise<Operation | undefined> {
    if (this.#window)
      return inTurn(this.#window, this.#servedOrganizationId).find((one) => !this.#isSkipped(one));
    if (this.#skipped.size >= maxSkips) return undefined;
    const passed = new Set<string>();
    let from = this.#servedOrganizationId;
    for (;;) {
      const [operation] = await nextOperations(this.#records, this.#lane, from, 1);
      if (!operation || !this.#isSkipped(operation)) return operation;
      from = operation.organizationId;
      // Once around: all that is left is skipped.
      if (passed.has(from)) return undefined;
      passed.add(from);
    }
  }

  /** @param left whether it is off the queue; if not, its organisation's turn comes again with the next pump */
  end(operation: Operation, left: boolean): void {
    this.#servedOrganizationId = operation.organizationId;
    if (!left) this.#skipped.add(operation.organizationId);
    else this.#window = this.#window?.filter((other) => other !== operation);
  }

  #isSkipped({ organizationId }: Operation): boolean {
    return this.#skipped.has(organizationId);
  }
}

/** The operations from the one behind the organisation served last, and round again. */
function inTurn(operations: readonly Operation[], servedOrganizationId: string): Operation[] {
  const isLater = ({ organizationId }: Operation) => organizationId > servedOrganizationId;
  return [...operations.filter(isLater), ...operations.filter((operation) => !isLater(operation))];
}
