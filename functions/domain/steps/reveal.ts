import type { Attestation } from '../attestation/attestation.ts';
import { AlreadyAttestedError, RevealTooEarlyError } from '../errors.ts';
import { laneOf } from '../lane/signers.ts';
import { answerTask, taskAnswerFor } from '../operation/task-answer.ts';
import { dispatchNow } from '../sending/dispatch-lane.ts';
import type { Services } from '../services.ts';
import { enterStep, queueOperation, type StepInput } from './enter-step.ts';
import { reportStaleHead } from './report-overdue.ts';

/** Runs the Reveal state after the chain's clock has passed the delay. Like Commit, it may run twice. */
export async function revealStep(services: Services, input: StepInput): Promise<void> {
  const row = await enterStep(services, 'reveal', input);
  if (row.status === 'confirmed') throw new AlreadyAttestedError('already confirmed');
  const answer = taskAnswerFor(services, row, 'reveal');
  if (answer !== 'wait') return answerTask(services, input.taskToken, answer);
  const lane = laneOf(services, row);
  // Runs concurrently. A failure is handled where the lane is needed.
  lane.catch(() => undefined);
  if (row.revealPhase === undefined) {
    await assertDelayPassed(services, row);
    await queueOperation(services, row, 'reveal');
  }
  await dispatchNow(services, row, lane);
}

/** Later blocks have later times, so a reveal sent now cannot be mined too early. */
async function assertDelayPassed(services: Services, { chainId, revealAt }: Attestation): Promise<void> {
  const chain = services.chain(chainId);
  const head = await chain.head();
  if (revealAt === undefined || head.timestamp < Date.parse(revealAt) / 1000) {
    // Nothing is queued yet, and the sweep does not read the head of an idle lane.
    reportStaleHead(services, chain, head);
    throw new RevealTooEarlyError(`the newest block is from before ${revealAt}`);
  }
}
