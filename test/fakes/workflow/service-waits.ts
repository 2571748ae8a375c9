import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import type { EventQueue } from './event-queue.ts';
import type { StateMachines } from './state-machines.ts';

export interface Waited {
  readonly queue: EventQueue;
  readonly machines: StateMachines;
  readonly world: {
    owes(): Promise<boolean>;
    row(key: Pick<Attestation, 'organizationId' | 'id'>): Promise<Attestation>;
  };
}

const hour = 3600;

/** Waits of a test, in simulated time. Each returns whether its condition held before the time was over. */
export function waitsOf({ queue, machines, world }: Waited) {
  return {
    /** Waits until no execution runs and the lane owes nothing. */
    untilIdle: (maxSeconds = hour) =>
      queue.until(async () => machines.running === 0 && !(await world.owes()), maxSeconds),
    untilTerminal: (key: Pick<Attestation, 'organizationId' | 'id'>, maxSeconds = hour) =>
      queue.until(async () => ['confirmed', 'failed'].includes((await world.row(key)).status), maxSeconds),
  };
}
