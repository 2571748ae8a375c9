import type { Hex } from 'viem';
import type { Attestation, OperationPhase } from './attestation.ts';
import { notDue } from './due.ts';
import { attestationRow } from './keys.ts';
import type { BoundOperation, Operation } from './lane.ts';
import { putOperation } from './lane-records.ts';
import type { Change, Expectations, Fields } from './records.ts';

/**
 * What became of one operation. `attested`: the registry holds the content without it. `refused`: it can never be
 * done. `reverted`: its transaction did nothing, for no reason that lasts, so it is owed as before.
 */
export type Outcome =
  | { readonly kind: 'mined' | 'final'; readonly hash: Hex; readonly blockTimestamp: number }
  | { readonly kind: 'attested' }
  | { readonly kind: 'reverted' }
  | { readonly kind: 'refused'; readonly reason: string };

export interface OutcomeContext {
  readonly revealDelaySeconds: number;
  readonly now: Date;
}

const stillOwed: OperationPhase[] = ['queued', 'mined'];

function rowChange(row: Attestation, expect: Expectations, set: Fields): Change {
  return { key: attestationRow(row), expect, set };
}

/** The writes that record an operation's outcome on its attestation, each conditioned on the phase it leaves. */
export function outcomeChanges(
  row: Attestation,
  operation: BoundOperation,
  outcome: Outcome,
  context: OutcomeContext,
): Change[] {
  if (outcome.kind === 'reverted') return queueAgain(row, operation, context);
  if (operation.kind === 'link') return linkChanges(row, operation, outcome, context);
  return [attestChange(row, operation.kind, outcome, context)];
}

function attestChange(
  row: Attestation,
  kind: 'commit' | 'reveal',
  outcome: Exclude<Outcome, { kind: 'reverted' }>,
  { revealDelaySeconds }: OutcomeContext,
): Change {
  const phase = `${kind}Phase`;
  const expect = { [phase]: stillOwed, status: row.status };
  if (outcome.kind === 'attested') return rowChange(row, expect, { [phase]: 'unneeded' });
  if (outcome.kind === 'refused') {
    return rowChange(row, expect, { [phase]: 'refused', ...failure(row, outcome.reason) });
  }
  const seen = { [phase]: outcome.kind, [`${kind}TxHash`]: outcome.hash };
  if (kind === 'reveal') return rowChange(row, expect, seen);
  const revealAt = new Date((outcome.blockTimestamp + revealDelaySeconds) * 1000).toISOString();
  const status = row.status === 'pending' ? { status: 'committed' } : {};
  return rowChange(row, expect, { ...seen, revealAt, ...status });
}

/** A terminal status never changes; a confirmed attestation whose own reveal was not needed stays confirmed. */
function failure(row: Attestation, error: string): Fields {
  return row.status === 'confirmed' ? {} : { status: 'failed', error, ...notDue };
}

/** The wish may have moved on while its link was under way: then the link is owed once more. */
function linkChanges(
  row: Attestation,
  operation: BoundOperation,
  outcome: Exclude<Outcome, { kind: 'reverted' }>,
  context: OutcomeContext,
): Change[] {
  const expect = { childSequence: row.childSequence, linkPhase: stillOwed };
  const isMined = outcome.kind === 'mined' || outcome.kind === 'final';
  if (!carriesWish(row, operation)) {
    return outcome.kind === 'mined'
      ? [rowChange(row, expect, { linkPhase: 'queued' })]
      : queueAgain(row, operation, context);
  }
  if (isMined) return [rowChange(row, expect, { linkPhase: outcome.kind, childLinkTxHash: outcome.hash })];
  const childLinkError = outcome.kind === 'refused' ? outcome.reason : 'the attestation cannot be linked';
  return [rowChange(row, expect, { linkPhase: 'refused', childLinkError })];
}

/** An operation that was never bound carries whatever is wished now. */
function carriesWish(row: Attestation, { childSequence }: BoundOperation): boolean {
  return childSequence === undefined || childSequence === row.childSequence;
}

/** Free again, because its transaction is final and did not do it. */
function queueAgain(row: Attestation, operation: BoundOperation, { now }: OutcomeContext): Change[] {
  const { organizationId, id, kind } = operation;
  const phase = `${kind}Phase`;
  const expect = { [phase]: stillOwed, status: row.status, childSequence: row.childSequence };
  const reverts = carriesWish(row, operation) ? (operation.reverts ?? 0) + 1 : 0;
  const again: Operation = { organizationId, id, kind, queuedAt: now.toISOString(), reverts };
  return [rowChange(row, expect, { [phase]: 'queued' }), putOperation(row.lane, again)];
}
