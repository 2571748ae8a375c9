import { refreshEntry } from '../attestation/refresh-entry.ts';
import type { LaneState } from '../lane/lane.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { listOperations, queueOf, takeOperation } from '../lane/queue-records.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import { isOwed, type Outcome, outcomeChanges } from './outcome.ts';
import { diagnoseReverts, tryAgain } from './revert-diagnosis.ts';
import { sendTaskAnswers } from './task-answer.ts';

const maxRefused = 96;

/** A reveal may not fail while its commit is not final, because the commit may be sent again after a reorg. */
export function mayFail({ operation, row }: Candidate): boolean {
  return operation.kind !== 'reveal' || !isOwed(row.commitPhase);
}

/** Ends an operation and removes it from the queue in one write. Does nothing if it got a nonce meanwhile. */
export async function dropOperation(services: LaneServices, candidate: Candidate, outcome: Outcome) {
  const { operation, row } = candidate;
  // After a deep reorg, another reveal may have given the attestation another index. Nothing reads the entry after this
  // write.
  if (operation.kind === 'reveal' && outcome.kind === 'attested') await refreshEntry(services, row);
  const done = await services.records.transact([
    takeOperation(queueOf(row, operation.kind), operation),
    ...outcomeChanges(row, operation, outcome, services.laneChain.settings),
  ]);
  if (done) await sendTaskAnswers(services, [operation], true);
}

/** Ends an operation that is not sent. Adds to the reason what the publisher has to do again. */
export function refuse(services: LaneServices, candidate: Candidate, why: string): Promise<void> {
  const reason = `${why} ${tryAgain(candidate.operation.kind)}`;
  return dropOperation(services, candidate, { kind: 'refused', reason });
}

/** Ends the operations that a final block shows as refused or done. @returns the others, which are not ready */
export async function dropDiagnosed(services: LaneServices, failing: readonly Candidate[]) {
  const diagnoses = await diagnoseReverts(services, failing);
  await Promise.all(
    failing.map(async (candidate) => {
      const diagnosis = diagnoses.get(candidate.operation);
      if (diagnosis && diagnosis.kind !== 'unknown') await dropOperation(services, candidate, diagnosis);
    }),
  );
  return failing.filter(({ operation }) => diagnoses.get(operation)?.kind === 'unknown');
}

/** Ends the operations queued for a revoked key that is a delegate. Other signers send those of a forwarder. */
export async function refuseUnsendable(services: LaneServices, state: LaneState): Promise<void> {
  if (state.retired !== 'revoked') return;
  const { chainId, signerAddress: delegateAddress, laneChain } = services;
  const queue = { chainId, delegateAddress };
  const operations = await listOperations(services, queue, maxRefused);
  const { candidates } = await candidatesOf(services, state, queue, operations);
  const why = `the key ${delegateAddress} was revoked on chain ${chainId}; delegate to another address and`;
  // A restored lane may not know the transaction that did an operation. That operation ends when the transaction is final.
  const remaining = await dropDiagnosed(services, candidates.filter(mayFail));
  for (const candidate of remaining) {
    const { attestationIndex } = await laneChain.registry.registryState(candidate.row);
    if (attestationIndex === 0) await refuse(services, candidate, why);
  }
}
