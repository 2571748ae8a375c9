import {
  type Attestation,
  type AttestationKey,
  checkLater,
  isCheckSoon,
} from '../attestation/attestation.ts';
import { attestationRow, findAttestation } from '../attestation/attestation-records.ts';
import { putTaskToken } from '../attestation/task-token-records.ts';
import { AttestationMissingError } from '../errors.ts';
import { putOperation } from '../lane/queue-records.ts';
import { nextRound } from '../lane/rounds.ts';
import type { Services } from '../services.ts';
import { reportUnfinished } from './report-overdue.ts';

export interface StepInput extends AttestationKey {
  readonly taskToken: string;
}

/** Writes the token, then reads the row. A settlement does it in reverse order, so one of the two sees the other. */
export async function enterStep(
  services: Services,
  step: 'commit' | 'reveal',
  { organizationId, id, taskToken }: StepInput,
): Promise<Attestation> {
  const { records, now } = services;
  const key = { organizationId, id };
  await records.update(putTaskToken(key, { step, taskToken }, now()));
  const row = await findAttestation(records, key);
  if (!row) throw new AttestationMissingError();
  reportUnfinished(services, row);
  if (row[`${step}Phase`] !== undefined && isCheckSoon(row, now())) {
    const isUnended = { status: ['pending', 'committed'] };
    await records.update({ key: attestationRow(key), set: checkLater(now()), expect: isUnended });
  }
  return row;
}

/** Changes the absent phase in the same write. `allowed` rejects if the operation may not be queued. */
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
      set: {
        [`${kind}Phase`]: 'queued',
        [`${kind}Round`]: round,
        ...(isCheckSoon(row, now()) ? checkLater(now()) : {}),
      },
    },
    putOperation(row, { organizationId, id, kind, round, queuedAt: now().toISOString() }),
  ]);
}
