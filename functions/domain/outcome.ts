import type { Hex } from 'viem';
import type { Attestation, OperationPhase } from './attestation.ts';
import type { rowFields } from './attestation-rows.ts';
import { attestationRow } from './keys.ts';
import type { BoundOperation } from './lane.ts';
import { putOperation } from './lane-records.ts';
import type { Change, Expectations } from './records.ts';

/** What became of one operation. */
export type Outcome =
  | { readonly kind: 'mined' | 'final'; readonly hash: Hex; readonly blockTimestamp: number }
  | { readonly kind: 'attested' }
  | { readonly kind: 'refused'; readonly reason: string };

const stillOwed: OperationPhase[] = ['queued', 'mined'];

function rowChange(row: Attestation, expect: Expectations, set: Partial<Attestation>): Change {
  return { key: attestationRow(row), expect, set: { ...set } as ReturnType<typeof rowFields> };
}

/** What nothing is owed for any more, the sweep need not look at. */
export const settled = { checkAt: undefined, sweep: undefined } as const;

function commitChange(row: Attestation, outcome: Outcome, revealDelaySeconds: number): Change {
  const expect = { commitPhase: stillOwed, status: row.status };
  if (outcome.kind === 'attested') return rowChange(row, expect, { commitPhase: 'refused' });
  if (outcome.kind === 'refused') {
    return rowChange(row, expect, { commitPhase: 'refused', ...failure(row, outcome.reason) });
  }
  return rowChange(row, expect, {
    commitPhase: outcome.kind,
    commitTxHash: outcome.hash,
    revealAt: new Date((outcome.blockTimestamp + revealDelaySeconds) * 1000).toISOString(),
    ...(row.status === 'pending' ? { status: 'committed' } : {}),
  });
}

function revealChange(row: Attestation, outcome: Outcome): Change {
  const expect = { revealPhase: stillOwed, status: row.status };
  if (outcome.kind === 'attested') return rowChange(row, expect, { revealPhase: 'refused' });
  if (outcome.kind === 'refused') {
    return rowChange(row, expect, { revealPhase: 'refused', ...failure(row, outcome.reason) });
  }
  return rowChange(row, expect, { revealPhase: outcome.kind, revealTxHash: outcome.hash });
}

/** A terminal status never changes; a confirmed attestation whose own reveal was not needed stays confirmed. */
function failure(row: Attestation, error: string) {
  return row.status === 'confirmed' ? {} : { status: 'failed' as const, error, ...settled };
}

/** The wish may have moved on while its link was under way: then the link is owed once more. */
function linkChanges(row: Attestation, operation: BoundOperation, outcome: Outcome): Change[] {
  const expect = { childSequence: row.childSequence, linkPhase: stillOwed };
  const carriesWish = operation.childSequence === undefined || operation.childSequence === row.childSequence;
  if (!carriesWish) {
    const { childSequence: _, ...queued } = operation;
    const again = rowChange(row, expect, { linkPhase: 'queued' });
    return outcome.kind === 'mined' ? [again] : [again, putOperation(row.lane, queued)];
  }
  if (outcome.kind === 'mined' || outcome.kind === 'final') {
    return [rowChange(row, expect, { linkPhase: outcome.kind, childLinkTxHash: outcome.hash })];
  }
  const childLinkError = outcome.kind === 'refused' ? outcome.reason : 'the attestation cannot be linked';
  return [rowChange(row, expect, { linkPhase: 'refused', childLinkError })];
}

/** The writes that record an operation's outcome on its attestation, each conditioned on the phase it leaves. */
export function outcomeChanges(
  row: Attestation,
  operation: BoundOperation,
  outcome: Outcome,
  revealDelaySeconds: number,
): Change[] {
  if (operation.kind === 'link') return linkChanges(row, operation, outcome);
  return [
    operation.kind === 'commit' ? commitChange(row, outcome, revealDelaySeconds) : revealChange(row, outcome),
  ];
}
