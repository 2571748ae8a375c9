import type { Attestation } from '../attestation/attestation.ts';
import type { RegistryState } from '../chain.ts';
import { AlreadyAttestedError, AttestationFailedError, NotYetFinalError } from '../errors.ts';
import { laneOf } from '../lane/signers.ts';
import { delegationReason, isAfter } from '../operation/revert-diagnosis.ts';
import { answerTask, taskAnswerFor } from '../operation/task-answer.ts';
import { dispatchNow } from '../sending/dispatch-lane.ts';
import type { Services } from '../services.ts';
import { enterStep, queueOperation, type StepInput } from './enter-step.ts';
import { failAttestation } from './fail.ts';

/** Runs the Commit state. It may run twice: the row's phase shows what is done. */
export async function commitStep(services: Services, input: StepInput): Promise<void> {
  const row = await enterStep(services, 'commit', input);
  if (row.status === 'confirmed') throw new AlreadyAttestedError('already confirmed');
  const answer = taskAnswerFor(services, row, 'commit');
  if (answer !== 'wait') return answerTask(services, input.taskToken, answer);
  const lane = laneOf(services, row);
  // Runs concurrently. A failure is handled where the lane is needed.
  lane.catch(() => undefined);
  if (row.commitPhase === undefined)
    await queueOperation(services, row, 'commit', assertAttestable(services, row));
  await dispatchNow(services, row, lane);
}

/** The newest block is enough to continue. A refusal needs a final block. */
async function assertAttestable(services: Services, row: Attestation): Promise<void> {
  const chain = services.chain(row.chainId);
  const newest = await chain.registry.registryState(row);
  if (isFree(newest, row)) return;
  const { block, final } = await chain.atFinal(async (view) => ({
    block: view.block,
    final: await view.registryState(row),
  }));
  if (final.attestationIndex > 0) throw new AlreadyAttestedError('the registry holds it');
  if (newest.attestationIndex > 0 || isFree(final, row) || !isAfter(block, row.createdAt)) {
    throw new NotYetFinalError('the newest block and the final one differ');
  }
  const own = (await services.signer()).address;
  const error = delegationReason(chain.settings, row, 'commit', { chosen: final.delegateAddress, own });
  await failAttestation(services, row, error);
  throw new AttestationFailedError(error);
}

function isFree({ attestationIndex, delegateAddress }: RegistryState, row: Attestation): boolean {
  return attestationIndex === 0 && delegateAddress === row.delegateAddress;
}
