import type { Chain } from '../chain.ts';
import { type LaneState, type Operation, parseLane, type Queue } from '../lane/lane.ts';
import { listOperations, queueOf, queuesOf, takeOperation } from '../lane/queue-records.ts';
import type { Services } from '../services.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import { isOwed, type Outcome, outcomeChanges } from './outcome.ts';
import { diagnoseRevert, tryAgain } from './revert-diagnosis.ts';
import { sendTaskAnswers } from './task-answer.ts';

/** Operations ended at once: each is a write of its own, and as many are read in one page. */
const atOnce = 96;

/** Operations of a queue that an operator's command reads at most; a lane never does. */
const maxQueued = 100_000;

/**
 * Whether the attestation may fail with its operation: `failed` says that nothing of it appears on-chain afterwards, and
 * a reorganisation can send again a commit that is not final.
 */
export function mayFail({ operation, row }: Pick<Candidate, 'operation' | 'row'>): boolean {
  return operation.kind !== 'reveal' || !isOwed(row.commitPhase);
}

/**
 * Ends an operation that was never bound, in one write with its removal from the queue: so nothing of it can appear
 * on-chain afterwards. If somebody else bound it meanwhile, nothing happens.
 */
export async function dropOperation(
  services: Services,
  chain: Chain,
  { operation, row }: Pick<Candidate, 'operation' | 'row'>,
  outcome: Outcome,
): Promise<void> {
  const { revealDelaySeconds } = chain.settings;
  const done = await services.records.transact([
    takeOperation(queueOf(row, operation.kind), operation),
    ...outcomeChanges(row, operation, outcome, { revealDelaySeconds }),
  ]);
  if (done) await sendTaskAnswers(services, [operation], true);
}

/**
 * Ends the operations that a final block shows refused or done already.
 *
 * @returns the others, which are not ready yet: they stay queued
 */
export async function dropHopeless(
  services: Services,
  chain: Chain,
  failing: readonly Candidate[],
): Promise<Candidate[]> {
  const diagnosed = await Promise.all(
    failing.map(async (candidate) => {
      const { row, operation, call } = candidate;
      const diagnosis = await diagnoseRevert(chain, row, operation, call);
      if (diagnosis.kind !== 'unknown') await dropOperation(services, chain, candidate, diagnosis);
      return { candidate, isReady: diagnosis.kind !== 'unknown' };
    }),
  );
  return diagnosed.filter(({ isReady }) => !isReady).map(({ candidate }) => candidate);
}

/**
 * Ends what waits to be sent as a key that was revoked: nobody else can send it, so its authorities have to delegate to
 * another. What goes through a forwarder is not touched: another signer sends it.
 */
export async function refuseUnsendable(services: Services, chain: Chain, state: LaneState): Promise<void> {
  if (state.retired !== 'revoked') return;
  const { chainId, signerAddress: delegateAddress } = parseLane(state.lane);
  const queue: Queue = { chainId, delegateAddress };
  const operations = await listOperations(services.records, queue, undefined, atOnce);
  const candidates = await candidatesOf(services, queue, operations);
  for (const candidate of candidates.filter(mayFail)) {
    const { operation } = candidate;
    const again = tryAgain(operation.kind);
    const reason = `the key ${delegateAddress} was withdrawn on chain ${chainId}; delegate to another address and ${again}`;
    await dropOperation(services, chain, candidate, { kind: 'refused', reason });
  }
}

/**
 * Ends what waits in the lane's queues although the registry holds its content: transactions that the lane does not
 * know may have done it, and a commit of what is revealed would succeed once more, for nothing.
 */
export async function endAttested(services: Services, chain: Chain, state: LaneState): Promise<void> {
  for (const queue of queuesOf(chain, state)) {
    const operations = await listOperations(services.records, queue, undefined, maxQueued);
    const commits = operations.filter(({ kind }) => kind === 'commit');
    for (let first = 0; first < commits.length; first += atOnce) {
      await endAll(services, chain, queue, commits.slice(first, first + atOnce));
    }
  }
}

async function endAll(services: Services, chain: Chain, queue: Queue, commits: readonly Operation[]) {
  const candidates = await candidatesOf(services, queue, commits);
  const registryStates = await chain.atFinal((view) =>
    Promise.all(candidates.map(({ row }) => view.registryState(row))),
  );
  const attested = candidates.filter((_, position) => (registryStates[position]?.attestationIndex ?? 0) > 0);
  for (const candidate of attested) await dropOperation(services, chain, candidate, { kind: 'attested' });
}
