import { type Attestation, delegateOf, type OperationKind } from '../attestation/attestation.ts';
import type { Block, Call, Chain, FinalView } from '../chain.ts';
import type { Operation } from '../lane/lane.ts';
import { registryCall } from './registry-call.ts';

/**
 * Diagnosis of an operation that would revert, made at a final block. `attested`: the registry has the content already.
 * `refused`: it can never be done, for the reason given. `unknown`: nothing can be said yet.
 */
export type Diagnosis = { kind: 'attested' } | { kind: 'refused'; reason: string } | { kind: 'unknown' };

/** Names what the publisher has to do again once the cause is gone. */
export function tryAgain(kind: OperationKind): string {
  return kind === 'link' ? 'post the link again' : 'submit the content again';
}

/** Words the refusal of an operation whose authority does not delegate to its delegate. */
export function delegationReason(row: Attestation, kind: OperationKind): string {
  const { authorityAddress, chainId } = row;
  return (
    `delegation of ${authorityAddress} to ${delegateOf(row, kind)} on chain ${chainId} is not active; ` +
    `delegate again and ${tryAgain(kind)}`
  );
}

/**
 * Whether the block's time is not before a time (ISO 8601). A block from before a request may lack the delegation on
 * which the request was accepted.
 */
export function isAfter({ timestamp }: Block, isoTime: string): boolean {
  return timestamp * 1000 >= Date.parse(isoTime);
}

/** Whether the block is late enough for a revert to mean anything: not before what the operation depends on. */
function dependenciesHold(row: Attestation, { kind, queuedAt }: Operation, block: Block): boolean {
  if (!isAfter(block, queuedAt)) return false;
  if (kind !== 'reveal' || isGivenUp(row)) return true;
  return row.commitPhase === 'final' && isAfter(block, row.revealAt ?? '');
}

/**
 * Whether the commit will never be there: after a reorganisation it may end differently than when its reveal was
 * queued.
 */
function isGivenUp({ commitPhase }: Attestation): boolean {
  return commitPhase === 'unneeded' || commitPhase === 'refused';
}

async function revertReason(view: FinalView, call: Call): Promise<string | undefined> {
  return (await view.revertReasons([call], call.from))[0];
}

/**
 * Whether the view shows the commit of a reveal. A block without it tells nothing about the reveal: a reorganisation
 * undid the final commit, which will be mined again.
 */
async function showsCommit(view: FinalView, row: Attestation, { kind }: Operation): Promise<boolean> {
  // While a commit stands, a second one reverts.
  return (
    kind !== 'reveal' ||
    isGivenUp(row) ||
    (await revertReason(view, registryCall(row, 'commit'))) !== undefined
  );
}

/**
 * Diagnoses why an operation would revert. All views are read at one final block of one provider: a revert at the
 * newest block refuses nothing.
 */
export function diagnoseRevert(
  chain: Chain,
  row: Attestation,
  operation: Operation,
  call: Call,
): Promise<Diagnosis> {
  return chain.atFinal(async (view) => {
    if (!dependenciesHold(row, operation, view.block)) return { kind: 'unknown' };
    const [registryState, revert, isCommitted] = await Promise.all([
      view.registryState(row),
      revertReason(view, call),
      showsCommit(view, row, operation),
    ]);
    if (operation.kind !== 'link' && registryState.attestationIndex > 0) return { kind: 'attested' };
    if (!isCommitted) return { kind: 'unknown' };
    if (registryState.delegateAddress !== delegateOf(row, operation.kind)) {
      return { kind: 'refused', reason: delegationReason(row, operation.kind) };
    }
    return revert === undefined
      ? { kind: 'unknown' }
      : { kind: 'refused', reason: `${revert}; ${tryAgain(operation.kind)}` };
  });
}
