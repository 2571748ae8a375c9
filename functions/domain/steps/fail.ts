import {
  type Attestation,
  type AttestationKey,
  isOnChain,
  isTerminal,
  noCheck,
  type OperationKind,
} from '../attestation/attestation.ts';
import { attestationRow, findAttestation } from '../attestation/attestation-records.ts';
import { OperationBoundError } from '../errors.ts';
import { operationKey, takeOperation } from '../lane/queue-records.ts';
import type { Change } from '../records.ts';
import type { Services } from '../services.ts';

/**
 * Marks an attestation `failed`. The same write removes its queued operation, or expects that none is queued, so that no
 * operation is sent later.
 * @throws OperationBoundError if an operation may still be mined, or the registry holds the content or soon will
 */
export async function failAttestation(services: Services, key: AttestationKey, error: string): Promise<void> {
  const row = await findAttestation(services.records, key);
  if (!row || isTerminal(row)) return;
  const changes = failureChanges(row, error);
  if (changes && (await services.records.transact(changes))) return;
  throw new OperationBoundError('an operation may still be mined, or the registry has the content');
}

function failureChanges(row: Attestation, error: string): Change[] | undefined {
  const { commitPhase, revealPhase } = row;
  const failed = { status: 'failed', error, ...noCheck };
  // Absent phases are expected too, because the operation may have been queued since the row was read.
  const expect = { status: row.status, commitPhase, revealPhase };
  const unqueue = (kind: OperationKind): Change[] => [
    takeOperation(row, operationKey(row, kind)),
    { key: attestationRow(row), expect, set: { ...failed, [`${kind}Phase`]: 'refused' } },
  ];
  // The registry holds the content or soon will, so the attestation has not failed.
  if (commitPhase === 'unneeded' || revealPhase === 'unneeded' || isOnChain(revealPhase)) return undefined;
  // A mined commit that is not final may be sent again after a reorg.
  if (commitPhase === 'mined') return undefined;
  if (commitPhase === 'queued') return unqueue('commit');
  if (revealPhase === 'queued') return unqueue('reveal');
  return [{ key: attestationRow(row), expect, set: failed }];
}

/** Gives the publisher a reference, with which an operator finds the cause in the log. */
export async function failStep(
  services: Services,
  { executionName, error, ...key }: AttestationKey & { error: string; executionName: string },
): Promise<void> {
  services.log.error('attestation failed', new Error(error), { ...key, executionName });
  await failAttestation(
    services,
    key,
    `internal error (reference ${executionName}); submit the content again`,
  );
}
