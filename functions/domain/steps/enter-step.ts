import {
  type Attestation,
  type AttestationKey,
  checkLater,
  isCheckSoon,
} from '../attestation/attestation.ts';
import { attestationRow, findAttestation } from '../attestation/attestation-records.ts';
import { putTaskToken } from '../attestation/task-token-records.ts';
import { AlreadyAttestedError, AttestationMissingError } from '../errors.ts';
import { putOperation } from '../lane/queue-records.ts';
import { nextRound } from '../lane/rounds.ts';
import { laneOf } from '../lane/signers.ts';
import { answerTask, taskAnswerFor } from '../operation/task-answer.ts';
import { dispatchNow } from '../sending/dispatch-lane.ts';
import type { Services } from '../services.ts';
import { reportUnfinished } from './report-overdue.ts';

export interface StepInput extends AttestationKey {
  readonly taskToken: string;
}

/** Runs a state that waits for its operation. Calls `queue` unless the operation was queued before, and dispatches. */
export async function runWaitingStep(
  services: Services,
  step: 'commit' | 'reveal',
  input: StepInput,
  queue: (row: Attestation) => Promise<void>,
): Promise<void> {
  const row = await enterStep(services, step, input);
  if (row.status === 'confirmed') throw new AlreadyAttestedError('already confirmed');
  const answer = taskAnswerFor(services, row, step);
  if (answer !== 'wait') return answerTask(services, input.taskToken, answer);
  const lane = laneOf(services, row);
  // Runs concurrently. `dispatchNow` handles a failure.
  lane.catch(() => undefined);
  if (row[`${step}Phase`] === undefined) await queue(row);
  await dispatchNow(services, row, lane);
}

/** Writes the token, then reads the row. A settlement writes the row, then reads the token, so one sees the other. */
async function enterStep(
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
    const notTerminal = { status: ['pending', 'committed'] };
    await records.update({ key: attestationRow(key), set: checkLater(now()), expect: notTerminal });
  }
  return row;
}

/** Queues an operation and sets its phase in one write. `check` rejects if the operation may not be queued. */
export async function queueOperation(
  services: Services,
  row: Attestation,
  kind: 'commit' | 'reveal',
  check?: Promise<void>,
): Promise<void> {
  const { records, now } = services;
  const { organizationId, id } = row;
  const [round] = await Promise.all([nextRound(services, row, organizationId), check]);
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
