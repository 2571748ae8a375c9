import type { Attestation } from '../attestation/attestation.ts';
import { RevealTooEarlyError } from '../errors.ts';
import type { Services } from '../services.ts';
import { queueOperation, runWaitingStep, type StepInput } from './enter-step.ts';
import { reportStaleHead } from './report-overdue.ts';

/** Runs the Reveal state after the chain's clock has passed the delay. Like Commit, it may run twice. */
export async function revealStep(services: Services, input: StepInput): Promise<void> {
  await runWaitingStep(services, 'reveal', input, async (row) => {
    await assertDelayPassed(services, row);
    await queueOperation(services, row, 'reveal');
  });
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
