import { type Attestation, isOnChain } from '../attestation/attestation.ts';
import { findReadable } from '../attestation/attestation-records.ts';
import { findTaskTokens } from '../attestation/task-token-records.ts';
import { AlreadyAttestedError, AttestationFailedError } from '../errors.ts';
import type { Operation } from '../lane/lane.ts';
import type { Services } from '../services.ts';

export type TaskAnswer = 'wait' | { readonly output: { revealAt?: string } } | { readonly error: Error };

/** Derives the task answer from the row only, so that every function derives the same one. */
export function taskAnswerFor(services: Services, row: Attestation, step: 'commit' | 'reveal'): TaskAnswer {
  if (row.status === 'failed') return { error: new AttestationFailedError(row.error ?? 'failed') };
  const phase = row[`${step}Phase`];
  if (phase === 'unneeded') return { error: new AlreadyAttestedError('attested by another transaction') };
  if (step === 'reveal') return phase === 'final' ? { output: {} } : 'wait';
  if (!isOnChain(phase) || !row.revealAt) return 'wait';
  // The chain's clock is the time of its newest block, so only the next block shows that the delay is over.
  const { blockTimeSeconds } = services.chain(row.chainId).settings;
  const firstTry = new Date(Date.parse(row.revealAt) + blockTimeSeconds * 1000);
  return { output: { revealAt: firstTry.toISOString() } };
}

export async function answerTask(services: Services, taskToken: string, answer: TaskAnswer): Promise<void> {
  const { executions } = services;
  if (answer === 'wait') return;
  if ('error' in answer) await executions.fail(taskToken, answer.error.name);
  else await executions.succeed(taskToken, answer.output);
}

/** Reads tokens after the rows were written. A waiting state does the reverse, so one of the two sees the other. */
export async function sendTaskAnswers(services: Services, operations: readonly Operation[], final: boolean) {
  const awaited = operations.filter(({ kind }) => kind === 'commit' || (kind === 'reveal' && final));
  const [rows, tokens] = await Promise.all([
    findReadable(services, awaited),
    findTaskTokens(services, awaited),
  ]);
  const answers = awaited.map(async ({ kind, organizationId, id }, position) => {
    const [row, token] = [rows[position], tokens[position]];
    if (!row || kind === 'link' || token?.step !== kind) return;
    try {
      await answerTask(services, token.taskToken, taskAnswerFor(services, row, kind));
    } catch (error) {
      services.log.error('task not answered; the state retries after its timeout', error, {
        organizationId,
        id,
      });
    }
  });
  await Promise.all(answers);
}
