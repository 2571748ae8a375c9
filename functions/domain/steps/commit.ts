import type { Attestation } from '../attestation/attestation.ts';
import type { RegistryState } from '../chain.ts';
import { AlreadyAttestedError, AttestationFailedError, NotYetFinalError } from '../errors.ts';
import { delegationReason, isNotOlder } from '../operation/revert-diagnosis.ts';
import type { Services } from '../services.ts';
import { queueOperation, runWaitingStep, type StepInput } from './enter-step.ts';
import { failAttestation } from './fail.ts';

/** Runs the Commit state. It may run twice: the row's phase shows what is done. */
export async function commitStep(services: Services, input: StepInput): Promise<void> {
  await runWaitingStep(services, 'commit', input, (row) =>
    queueOperation(services, row, 'commit', assertAttestable(services, row)),
  );
}

/** The newest block is enough to continue. A refusal needs a final block. */
async function assertAttestable(services: Services, row: Attestation): Promise<void> {
  const chain = services.chain(row.chainId);
  const newest = await chain.registry.registryState(row);
  if (isAttestable(newest, row)) return;
  const { block, final } = await chain.atFinal(async (view) => ({
    block: view.block,
    final: await view.registryState(row),
  }));
  if (final.attestationIndex > 0) throw new AlreadyAttestedError('the registry has the content');
  if (newest.attestationIndex > 0 || isAttestable(final, row) || !isNotOlder(block, row.createdAt)) {
    throw new NotYetFinalError('the final block differs from the newest one, or is older than the request');
  }
  const key = (await services.signer()).address;
  const error = delegationReason(chain.settings, row, 'commit', { actual: final.delegateAddress, key });
  await failAttestation(services, row, error);
  throw new AttestationFailedError(error);
}

function isAttestable({ attestationIndex, delegateAddress }: RegistryState, row: Attestation): boolean {
  return attestationIndex === 0 && delegateAddress === row.delegateAddress;
}
