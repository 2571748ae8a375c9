import { type Attestation, isOnChain } from '../attestation/attestation.ts';
import { attestationOf, attestationRow } from '../attestation/attestation-records.ts';
import { AlreadyAttestedError, AttestationFailedError } from '../errors.ts';
import type { Operation } from '../lane/lane.ts';
import type { Executions, Services } from '../services.ts';

/** What a waiting state is told about its operation, or `wait` while there is nothing to tell. */
export type TaskAnswer = 'wait' | { readonly output: { revealAt?: string } } | { readonly error: Error };

/** Derived from the row alone, so that whoever answers, and however late, says the same. */
export function taskAnswerFor(services: Services, row: Attestation, step: 'commit' | 'reveal'): TaskAnswer {
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

export async function answerTask(
  executions: Executions,
  taskToken: string,
  answer: TaskAnswer,
): Promise<void> {
  if (answer === 'wait') return;
  if ('error' in answer) await executions.fail(taskToken, answer.error.name);
  else await executions.succeed(taskToken, answer.output);
}

/** Answers under way at once: a transaction may hold the operations of many that wait. */
const answersAtOnce = 16;

/**
 * Tells the states that wait for operations what became of them. The rows are read after the outcomes were written: a
 * state writes its token first and reads the row after, so one of the two always sees the other. An answer that is not
 * given only delays: the state's time-out looks again.
 *
 * @param final whether the outcomes are; a reveal is waited for until they are
 * @returns the rows of the operations that anyone may wait for
 */
export async function sendTaskAnswers(
  services: Services,
  operations: readonly Operation[],
  final: boolean,
): Promise<Attestation[]> {
  const awaited = operations.filter(({ kind }) => kind === 'commit' || (kind === 'reveal' && final));
  const found = await services.records.getAll(awaited.map(attestationRow));
  const rows = awaited.map((operation, position) => attestationOf(operation, found[position] ?? {}));
  const answers = awaited.flatMap(({ kind }, position) => {
    const row = rows[position];
    return row && kind !== 'link' ? [() => sendTaskAnswer(services, row, kind)] : [];
  });
  for (let first = 0; first < answers.length; first += answersAtOnce) {
    await Promise.all(answers.slice(first, first + answersAtOnce).map((answer) => answer()));
  }
  return rows;
}

async function sendTaskAnswer(
  services: Services,
  row: Attestation,
  kind: 'commit' | 'reveal',
): Promise<void> {
  const token = row[`${kind}Token`];
  if (!token) return;
  const { organizationId, id } = row;
  try {
    await answerTask(services.executions, token, taskAnswerFor(services, row, kind));
  } catch (error) {
    services.log.error('task not answered; its time-out looks again', error, { organizationId, id });
  }
}
