import type { Attestation, AttestationKey, OperationKind } from './attestation.ts';
import { isOnChain } from './attestation.ts';
import { findAttestation } from './attestation-rows.ts';
import { AlreadyAttestedError, AttestationFailedError } from './errors.ts';
import type { Executions } from './ports.ts';
import type { Services } from './services.ts';

/** What a waiting state is told about its operation, or `wait` while there is nothing to tell. */
export type Answer = 'wait' | { readonly output: { revealAt?: string } } | { readonly error: Error };

/** Derived from the row alone, so that whoever answers, and however late, says the same. */
export function answerFor(services: Services, row: Attestation, step: 'commit' | 'reveal'): Answer {
  if (row.status === 'failed') return { error: new AttestationFailedError(row.error ?? 'failed') };
  const phase = step === 'commit' ? row.commitPhase : row.revealPhase;
  if (phase === 'unneeded') return { error: new AlreadyAttestedError('attested by another transaction') };
  if (step === 'reveal') return phase === 'final' ? { output: {} } : 'wait';
  return isOnChain(phase) && row.revealAt ? { output: { revealAt: firstTry(services, row) } } : 'wait';
}

/** The chain's clock is its newest block's: it shows the delay over only in the block after. */
function firstTry(services: Services, { chainId, revealAt = '' }: Attestation): string {
  const { blockTimeSeconds } = services.chain(chainId).settings;
  return new Date(Date.parse(revealAt) + blockTimeSeconds * 1000).toISOString();
}

export async function answerToken(executions: Executions, taskToken: string, answer: Answer): Promise<void> {
  if (answer === 'wait') return;
  if ('error' in answer) await executions.fail(taskToken, answer.error.name);
  else await executions.succeed(taskToken, answer.output);
}

/**
 * Tells the state that waits for an operation what became of it. The row is read after the outcome was written: a
 * state writes its token first and reads the row after, so one of the two always sees the other.
 */
export async function wake(services: Services, key: AttestationKey, kind: OperationKind): Promise<void> {
  if (kind === 'link') return;
  const row = await findAttestation(services.records, key);
  const token = kind === 'commit' ? row?.commitToken : row?.revealToken;
  if (row && token) await answerToken(services.executions, token, answerFor(services, row, kind));
}
