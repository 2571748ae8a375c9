import { type Attestation, type AttestationKey, checkLater } from '../attestation/attestation.ts';
import { attestationOf, attestationRow } from '../attestation/attestation-records.ts';
import { AttestationMissingError } from '../errors.ts';
import { putOperation } from '../lane/queue-records.ts';
import { nextRound } from '../lane/rounds.ts';
import type { Services } from '../services.ts';
import { reportUnfinished } from './report-overdue.ts';

/** Input of the states Commit and Reveal. */
export interface StepInput extends AttestationKey {
  readonly taskToken: string;
}

/**
 * Writes the task token and reads the row in one call. A settlement writes the row and reads the token after, so one of
 * the two always sees the other.
 */
export async function enterStep(
  services: Services,
  step: 'commit' | 'reveal',
  { organizationId, id, taskToken }: StepInput,
): Promise<Attestation> {
  const { records, now } = services;
  const key = { organizationId, id };
  // The execution waits in one state at a time: the other state's token is stale, and as large as the rest of the row.
  const tokens = { commitToken: undefined, revealToken: undefined, [`${step}Token`]: taskToken };
  const set = { ...tokens, ...checkLater(now()) };
  const fields =
    (await records.update({ key: attestationRow(key), set, expect: { status: ['pending', 'committed'] } })) ??
    (await records.get(attestationRow(key)));
  if (!fields) throw new AttestationMissingError();
  const row = attestationOf(key, fields);
  reportUnfinished(services, row);
  return row;
}

/**
 * Queues an operation once: its phase leaves "absent" in the same write, and a second call changes nothing.
 *
 * @param allowed rejects when it is not to be queued
 */
export async function queueOperation(
  services: Services,
  row: Attestation,
  kind: 'commit' | 'reveal',
  allowed?: Promise<void>,
): Promise<void> {
  const { records, now } = services;
  const { organizationId, id } = row;
  const [round] = await Promise.all([nextRound(services, row, organizationId), allowed]);
  await records.transact([
    {
      key: attestationRow(row),
      expect: { [`${kind}Phase`]: undefined, status: row.status },
      set: { [`${kind}Phase`]: 'queued', [`${kind}Round`]: round },
    },
    putOperation(row, { organizationId, id, kind, round, queuedAt: now().toISOString() }),
  ]);
}
