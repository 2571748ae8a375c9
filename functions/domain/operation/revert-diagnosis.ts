import type { Address } from 'viem';
import { type Attestation, delegateOf, type OperationKind } from '../attestation/attestation.ts';
import type { Block, RegistryState } from '../chain.ts';
import type { Operation } from '../lane/lane.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { type ChainSettings, registryAt } from '../settings.ts';
import type { Candidate } from './candidates.ts';
import { registryCall } from './registry-call.ts';

/** Diagnosis at a final block of an operation that would revert. `attested`: the registry has the content already. */
export type Diagnosis = { kind: 'attested' } | { kind: 'refused'; reason: string } | { kind: 'unknown' };

/** Names what the publisher has to do again once the cause is gone. */
export function tryAgain(kind: OperationKind): string {
  return kind === 'link' ? 'post the link again' : 'submit the content again';
}

/** Words the refusal of an operation whose authority has `chosen` another delegate: a commit binds its delegate. */
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

/** Whether a block is as new as a time. An older one may lack the delegation on which a request was accepted. */
export function isAfter({ timestamp }: Block, isoTime: string): boolean {
  return timestamp * 1000 >= Date.parse(isoTime);
}

/** Whether the block is late enough for a revert to mean anything: not before what the operation depends on. */
function dependenciesHold(row: Attestation, { kind, queuedAt }: Operation, block: Block): boolean {
  if (!isAfter(block, queuedAt)) return false;
  if (kind !== 'reveal' || isGivenUp(row)) return true;
  return row.commitPhase === 'final' && isAfter(block, row.revealAt ?? '');
}

/** Whether the commit will never be there: after a reorg it may have ended in another way. */
function isGivenUp({ commitPhase }: Attestation): boolean {
  return commitPhase === 'unneeded' || commitPhase === 'refused';
}

/** Diagnoses why operations of one delegate would revert, all at one final block: the newest refuses nothing. */
export async function diagnoseReverts(
  { laneChain, signerAddress: own }: LaneServices,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<Operation, Diagnosis>> {
  if (candidates.length === 0) return new Map();
  // Of a batch's member nothing else can be wrong than what the states show, as long as its commit is owed or there.
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
    // While a commit stands, a second one reverts.
    const uncommitted = reveals.filter((_, position) => commitReverts[position] === undefined);
    const diagnosisOf = (candidate: Candidate, position: number): Diagnosis => {
      const { row, operation } = candidate;
      const { kind } = operation;
      const { attestationIndex, delegateAddress: chosen } = states[position] as RegistryState;
      if (kind !== 'link' && attestationIndex > 0) return { kind: 'attested' };
      if (!dependenciesHold(row, operation, view.block)) return { kind: 'unknown' };
      // A reorg undid the final commit, which will be mined again: the reveal's revert tells nothing.
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
