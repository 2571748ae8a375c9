import type { Address } from 'viem';
import { type Attestation, delegateOf, type OperationKind } from '../attestation/attestation.ts';
import type { Block, RegistryState } from '../chain.ts';
import type { Operation } from '../lane/lane.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { type ChainSettings, registryAt } from '../settings.ts';
import type { Candidate } from './candidates.ts';
import { registryCall } from './registry-call.ts';

/** Why an operation would revert at a final block. `attested`: the registry already has the content. */
export type Diagnosis = { kind: 'attested' } | { kind: 'refused'; reason: string } | { kind: 'unknown' };

/** Returns what the publisher has to do again after fixing the cause. */
export function tryAgain(kind: OperationKind): string {
  return kind === 'link' ? 'post the link again' : 'submit the content again';
}

/** Returns why an operation is refused if the authority now delegates to `actual` instead of the row's delegate. */
export function delegationReason(
  settings: ChainSettings,
  row: Attestation,
  kind: OperationKind,
  { actual, key }: Readonly<Record<'actual' | 'key', Address>>,
): string {
  const { authorityAddress, chainId, registryAddress } = row;
  const registry = registryAt(settings, registryAddress);
  const former = delegateOf(row, kind);
  const again = tryAgain(kind);
  return registry?.delegates.includes(actual === key ? 'key' : actual)
    ? `the authority moved its delegation on chain ${chainId} from ${former} to ${actual}; ${again}`
    : `delegation of ${authorityAddress} to ${former} on chain ${chainId} is not active; delegate again and ${again}`;
}

/** Whether a block is not older than a request. An older one may not show the delegation that acceptance relied on. */
export function isNotOlder({ timestamp }: Block, isoTime: string): boolean {
  return timestamp * 1000 >= Date.parse(isoTime);
}

/** Whether a revert at the block counts: the block must not be older than what the operation depends on. */
function isConclusive(row: Attestation, { kind, queuedAt }: Operation, block: Block): boolean {
  if (!isNotOlder(block, queuedAt)) return false;
  if (kind !== 'reveal' || isCommitAbandoned(row)) return true;
  return row.commitPhase === 'final' && isNotOlder(block, row.revealAt ?? '');
}

/** Whether the commit will never be on the chain, because it ended in another way after a reorg. */
function isCommitAbandoned({ commitPhase }: Attestation): boolean {
  return commitPhase === 'unneeded' || commitPhase === 'refused';
}

/** Diagnoses operations of one delegate at one final block. The newest block is not enough for a refusal. */
export async function diagnoseReverts(
  { laneChain, signerAddress: key }: LaneServices,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<Operation, Diagnosis>> {
  if (candidates.length === 0) return new Map();
  // While a batch's commit is pending or on the chain, the states show all that can be wrong with a reveal.
  const single = candidates.filter(
    ({ operation, row }) => operation.kind !== 'reveal' || !row.batch || isCommitAbandoned(row),
  );
  const calls = single.map(({ call }) => call);
  const reveals = single.filter(({ operation }) => operation.kind === 'reveal');
  const commits = reveals.map(({ row }) => registryCall(row, 'commit'));
  return laneChain.atFinal(async (view) => {
    const [states, reverts, commitReverts] = await Promise.all([
      view.registryStates(candidates.map(({ row }) => row)),
      view.revertReasons(calls, key),
      view.revertReasons(commits, key),
    ]);
    // While a commit is on the chain, a second one reverts.
    const uncommitted = reveals.filter((_, position) => commitReverts[position] === undefined);
    const diagnosisOf = (candidate: Candidate, position: number): Diagnosis => {
      const { row, operation } = candidate;
      const { kind } = operation;
      const { attestationIndex, delegateAddress: actual } = states[position] as RegistryState;
      if (kind !== 'link' && attestationIndex > 0) return { kind: 'attested' };
      if (!isConclusive(row, operation, view.block)) return { kind: 'unknown' };
      // A reorg undid the final commit, which will be mined again. So the reveal's revert proves nothing.
      if (uncommitted.includes(candidate) && !isCommitAbandoned(row)) return { kind: 'unknown' };
      if (actual !== delegateOf(row, kind)) {
        return { kind: 'refused', reason: delegationReason(laneChain.settings, row, kind, { actual, key }) };
      }
      const revert = reverts[single.indexOf(candidate)];
      return revert ? { kind: 'refused', reason: `${revert}; ${tryAgain(kind)}` } : { kind: 'unknown' };
    };
    return new Map(candidates.map((one, position) => [one.operation, diagnosisOf(one, position)]));
  });
}
