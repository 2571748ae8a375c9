import type { Address } from 'viem';
import { refreshEntry } from '../attestation/refresh-entry.ts';
import type { Chain } from '../chain.ts';
import { type LaneState, parseLane, type Queue } from '../lane/lane.ts';
import { listOperations, queueOf, takeOperation } from '../lane/queue-records.ts';
import type { Services } from '../services.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import { isOwed, type Outcome, outcomeChanges } from './outcome.ts';
import { diagnoseReverts, tryAgain } from './revert-diagnosis.ts';
import { sendTaskAnswers } from './task-answer.ts';

/** Operations that are ended at once, each in its own write. */
const atOnce = 96;

/**
 * Whether the attestation may fail with its operation. `failed` means that nothing of it appears on-chain afterwards,
 * but a commit that is not final can be sent again after a reorganisation.
 */
export function mayFail({ operation, row }: Pick<Candidate, 'operation' | 'row'>): boolean {
  return operation.kind !== 'reveal' || !isOwed(row.commitPhase);
}

/**
 * Ends an operation that has no nonce, in the same write that removes it from the queue, so that nothing of it can
 * appear on-chain afterwards. Does nothing when the operation was bound meanwhile.
 */
export async function dropOperation(
  services: Services,
  chain: Chain,
  { operation, row }: Pick<Candidate, 'operation' | 'row'>,
  outcome: Outcome,
): Promise<void> {
  // Somebody else revealed what a deep reorganisation undid: it has another index. After the write nothing would look.
  if (operation.kind === 'reveal' && outcome.kind === 'attested') await refreshEntry(services, row);
  const done = await services.records.transact([
    takeOperation(queueOf(row, operation.kind), operation),
    ...outcomeChanges(row, operation, outcome, chain.settings),
  ]);
  if (done) await sendTaskAnswers(services, [operation], true);
}

/** Ends an operation that is never sent, for a reason in words that end before what the publisher is to do again. */
export function refuse(services: Services, chain: Chain, one: Candidate, why: string): Promise<void> {
  const reason = `${why} ${tryAgain(one.operation.kind)}`;
  return dropOperation(services, chain, one, { kind: 'refused', reason });
}

/**
 * Ends the operations that a final block shows as refused or already done.
 *
 * @returns the others, which are not ready yet and stay queued
 */
export async function dropDiagnosed(
  services: Services,
  chain: Chain,
  failing: readonly Candidate[],
  signerAddress: Address,
): Promise<Candidate[]> {
  const diagnoses = await diagnoseReverts(chain, failing, signerAddress);
  await Promise.all(
    failing.map(async (candidate) => {
      const diagnosis = diagnoses.get(candidate.operation);
      if (diagnosis && diagnosis.kind !== 'unknown')
        await dropOperation(services, chain, candidate, diagnosis);
    }),
  );
  return failing.filter(({ operation }) => diagnoses.get(operation)?.kind === 'unknown');
}

/**
 * Ends the operations that wait to be sent as a revoked key: no other key can send them, so their authorities have to
 * delegate to another address. Operations behind a forwarder are not touched: another signer sends them.
 */
export async function refuseUnsendable(services: Services, chain: Chain, state: LaneState): Promise<void> {
  if (state.retired !== 'revoked') return;
  const { chainId, signerAddress: delegateAddress } = parseLane(state.lane);
  const queue: Queue = { chainId, delegateAddress };
  const operations = await listOperations(services, queue, atOnce);
  const { candidates } = await candidatesOf(services, state, queue, operations);
  const why = `the key ${delegateAddress} was withdrawn on chain ${chainId}; delegate to another address and`;
  // One that a transaction did which a restored lane does not know is done nevertheless, as soon as that is final.
  const undone = await dropDiagnosed(services, chain, candidates.filter(mayFail), delegateAddress);
  for (const candidate of undone) {
    const { attestationIndex } = await chain.registry.registryState(candidate.row);
    if (attestationIndex === 0) await refuse(services, chain, candidate, why);
  }
}
