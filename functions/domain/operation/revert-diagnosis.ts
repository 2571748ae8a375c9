import type { Address } from 'viem';
import { type Attestation, delegateOf, type OperationKind } from '../attestation/attestation.ts';
import type { Block, RegistryState } from '../chain.ts';
import type { Operation } from '../lane/lane.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { type ChainSettings, registryAt } from '../settings.ts';
import type { Candidate } from './candidates.ts';
import { registryCall } from './registry-call.ts';

/** Why an operation would revert, at a final block. `attested`: the registry already has the content. */
export type Diagnosis = { kind: 'attested' } | { kind: 'refused'; reason: string } | { kind: 'unknown' };

/** Returns what the publisher has to do again after fixing the cause. */
export function tryAgain(kind: OperationKind): string {
  return kind === 'link' ? 'post the link again' : 'submit the content again';
}

/** Why an operation is refused if the authority's delegate is `chosen` and not the row's. A commit binds its own. */
export function delegationReason(
  settings: ChainSettings,
  row: Attestation,
  kind: OperationKind,
  { chosen, own }: Readonly<Record<'chosen' | 'own', Address>>,
): string {
  const { authorityAddress, chainId, registryAddress } = row;
  const its = registryAt(settings, registryAddress);
  const former = delegateOf(row, kind);
  const again = tryAgain(kind);
  return its?.delegates.includes(chosen === own ? 'key' : chosen)
    ? `the authority moved its delegation on chain ${chainId} from ${former} to ${chosen}; ${again}`
    : `delegation of ${authorityAddress} to ${former} on chain ${chainId} is not active; delegate again and ${again}`;
}

/** A block older than the request may lack the delegation that the request was accepted with. */
export function isAfter({ timestamp }: Block, isoTime: string): boolean {
  return timestamp * 1000 >= Date.parse(isoTime);
}

/** Whether the block is new enough for a revert to count: not older than what the operation depends on. */
function dependenciesHold(row: Attestation, { kind, queuedAt }: Operation, block: Block): boolean {
  if (!isAfter(block, queuedAt)) return false;
  if (kind !== 'reveal' || isGivenUp(row)) return true;
  return row.commitPhase === 'final' && isAfter(block, row.revealAt ?? '');
}

/** Whether the commit will never be on the chain: after a reorg it may have ended otherwise. */
function isGivenUp({ commitPhase }: Attestation): boolean {
  return commitPhase === 'unneeded' || commitPhase === 'refused';
}

/** Diagnoses operations of one delegate at one final block. The newest block is not enough for a refusal. */
export async function diagnoseReverts(
  { laneChain, signerAddress: own }: LaneServices,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<Operation, Diagnosis>> {
  if (candidates.length === 0) return new Map();
  // While a batch's commit is pending or on the chain, the states show all that can be wrong with a reveal.
  const single = candidates.filter(
    ({ operation, row }) => operation.kind !== 'reveal' || !row.batch || isGivenUp(row),
  );
  const calls = single.map(({ call }) => call);
  const reveals = single.filter(({ operation }) => operation.kind === 'reveal');
  const commits = reveals.map(({ row }) => registryCall(row, 'commit'));
  return laneChain.atFinal(async (view) => {
    const [states, reverts, commitReverts] = await Promise.all([
      view.registryStates(candidates.map(({ row }) => row)),
      view.revertReasons(calls, own),
      view.revertReasons(commits, own),
    ]);
    // While a commit is on the chain, a second one reverts.
    const uncommitted = reveals.filter((_, position) => commitReverts[position] === undefined);
    const diagnosisOf = (candidate: Candidate, position: number): Diagnosis => {
      const { row, operation } = candidate;
      const { kind } = operation;
      const { attestationIndex, delegateAddress: chosen } = states[position] as RegistryState;
      if (kind !== 'link' && attestationIndex > 0) return { kind: 'attested' };
      if (!dependenciesHold(row, operation, view.block)) return { kind: 'unknown' };
      // A reorg undid the final commit, which will be mined again. So the reveal's revert is not conclusive.
      if (uncommitted.includes(candidate) && !isGivenUp(row)) return { kind: 'unknown' };
      if (chosen !== delegateOf(row, kind)) {
        return { kind: 'refused', reason: delegationReason(laneChain.settings, row, kind, { chosen, own }) };
      }
      const revert = reverts[single.indexOf(candidate)];
      return revert ? { kind: 'refused', reason: `${revert}; ${tryAgain(kind)}` } : { kind: 'unknown' };
    };
    return new Map(candidates.map((one, position) => [one.operation, diagnosisOf(one, position)]));
  });
}
