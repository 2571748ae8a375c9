import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import { parseContent } from '../../../functions/domain/attestation/content.ts';
import type { Caller } from '../../../functions/domain/organization/api-keys.ts';
import type { Records } from '../../../functions/domain/records.ts';
import { type Creation, createAttestation } from '../../../functions/domain/requests/create-attestation.ts';
import type { Services } from '../../../functions/domain/services.ts';
import { restrictedToRole } from '../ports/restricted-to-role.ts';
import type { EventQueue } from './event-queue.ts';
import type { StateMachines } from './state-machines.ts';

/** Function that runs one invocation as a process of its own, which may be killed. */
type RunProcess = <Result>(run: (faulty: Services) => Promise<Result>) => Promise<Result>;

export function postsOf(process: RunProcess) {
  const post = (caller: Caller, text: string): Promise<Creation> =>
    process((faulty) =>
      createAttestation(restrictedToRole('api/create-attestation', faulty), caller, {
        content: parseContent(text),
      }),
    );
  return {
    post,
    /** Repeats the request until it is answered, as a client does. */
    postUntilAnswered: async (caller: Caller, text: string): Promise<Creation> => {
      for (;;) {
        try {
          return await post(caller, text);
        } catch {
          // The request got no answer, or was refused for now. It is safe to repeat.
        }
      }
    },
  };
}

export interface WaitContext {
  readonly queue: EventQueue;
  readonly machines: StateMachines;
  readonly world: {
    readonly records: Pick<Records, 'due'>;
    owes(): Promise<boolean>;
    row(key: Pick<Attestation, 'organizationId' | 'id'>): Promise<Attestation>;
  };
}

const hour = 3600;
const farFuture = '9999-12-31T00:00:00.000Z';

/** Functions that wait in simulated time and return whether the condition held in time. `isIdle` does not wait. */
export function waitsOf({ queue, machines, world }: WaitContext) {
  const isIdle = async (): Promise<boolean> => {
    if (machines.running > 0 || (await world.owes())) return false;
    return (await world.records.due(farFuture, 1)).length === 0;
  };
  return {
    /** Whether no execution runs, no lane owes anything, and a sweep, whenever it comes, finds nothing to start. */
    isIdle,
    untilIdle: (maxSeconds = hour) => queue.until(isIdle, maxSeconds),
    untilTerminal: (key: Pick<Attestation, 'organizationId' | 'id'>, maxSeconds = hour) =>
      queue.until(async () => ['confirmed', 'failed'].includes((await world.row(key)).status), maxSeconds),
  };
}
