import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import type { Records } from '../../../functions/domain/records.ts';
import type { EventQueue } from './event-queue.ts';
import type { StateMachines } from './state-machines.ts';

export interface Waited {
  readonly queue: EventQueue;
  readonly machines: StateMachines;
  readonly world: {
    readonly records: Pick<Records, 'due'>;
    owes(): Promise<boolean>;
    row(key: Pick<Attestation, 'organizationId' | 'id'>): Promise<Attestation>;
  };
}

const hour = 3600;
const farOff = '9999-12-31T00:00:00.000Z';

/** Waits of a test, in simulated time. Each returns whether its condition held before the time was over. */
export function waitsOf({ queue, machines, world }: Waited) {
  const isIdle = async (): Promise<boolean> => {
    if (machines.running > 0 || (await world.owes())) return false;
    return (await world.records.due(farOff, 1)).length === 0;
  };
  return {
    /** Whether no execution runs, the lane owes nothing, and a sweep, whenever it comes, finds nothing to start. */
    isIdle,
    untilIdle: (maxSeconds = hour) => queue.until(isIdle, maxSeconds),
    untilTerminal: (key: Pick<Attestation, 'organizationId' | 'id'>, maxSeconds = hour) =>
      queue.until(async () => ['confirmed', 'failed'].includes((await world.row(key)).status), maxSeconds),
  };
}
