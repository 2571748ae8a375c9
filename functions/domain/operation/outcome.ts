import type { Hex } from 'viem';
import { type Attestation, isTerminal, noCheck, type OperationPhase } from '../attestation/attestation.ts';
import { attestationRow } from '../attestation/attestation-records.ts';
import type { Operation } from '../lane/lane.ts';
import { operationKey, putOperation, queueOf, revealPlace } from '../lane/queue-records.ts';
import type { Change, Fields } from '../records.ts';
import type { ChainSettings } from '../settings.ts';

/** `attested`: the registry has the content. `refused`: the operation failed. `free`: it is still needed. */
export type Outcome =
  | {
      readonly kind: 'mined' | 'final';
      readonly hash: Hex;
      readonly blockTimestamp: number;
      readonly batch?: Attestation['batch'] | undefined;
    }
  | { readonly kind: 'attested' }
  | { readonly kind: 'free'; readonly reverts?: number; readonly batchLimit?: number }
  | { readonly kind: 'refused'; readonly reason: string; readonly hash?: Hex };

type RetryFields = Pick<Operation, 'reverts' | 'batchLimit'>;

type DoneOutcome = Extract<Outcome, { kind: 'mined' | 'final' }>;

const phaseName = ({ kind }: Operation) => `${kind}Phase` as const;

/** Whether an operation in this phase is in the queue or in a transaction that is not final. */
export function isOwed(phase: OperationPhase | undefined): boolean {
  return phase === 'queued' || phase === 'mined';
}

function rowChange(row: Attestation, operation: Operation, set: Fields, alsoExpected: Fields = {}): Change {
  const phase = phaseName(operation);
  const linkIntent = operation.kind === 'link' ? { childSequence: row.childSequence } : {};
  const expect = { [phase]: row[phase], status: row.status, ...linkIntent, ...alsoExpected };
  return { key: attestationRow(row), expect, set };
}

/** Returns the changes that record an outcome; none if the operation is no longer pending. */
export function outcomeChanges(
  row: Attestation,
  operation: Operation,
  outcome: Outcome,
  settings: ChainSettings,
): Change[] {
  const phase = row[phaseName(operation)];
  // After a reorg, the attestation that made the operation unneeded may be from the operation's own transaction.
  const isOurs = phase === 'unneeded' && (outcome.kind === 'mined' || outcome.kind === 'final');
  if (!isOwed(phase) && !isOurs) return [];
  if (outcome.kind === 'free') return queueAgain(row, operation, outcome);
  if (operation.kind === 'link') return linkChanges(row, operation, outcome);
  const { kind } = operation;
  if (outcome.kind === 'refused') {
    const tried = outcome.hash ? { [`${kind}TxHash`]: outcome.hash } : {};
    // A terminal status never changes: a confirmed attestation whose reveal was not needed stays confirmed.
    const failed = isTerminal(row) ? {} : { status: 'failed', error: outcome.reason, ...noCheck };
    return [rowChange(row, operation, { [`${kind}Phase`]: 'refused', ...tried, ...failed })];
  }
  if (kind === 'commit' && outcome.kind !== 'attested')
    return commitChanges(row, operation, outcome, settings);
  const hash = outcome.kind === 'attested' ? {} : { [`${kind}TxHash`]: outcome.hash };
  const seen = { [`${kind}Phase`]: outcome.kind === 'attested' ? 'unneeded' : outcome.kind, ...hash };
  return kind === 'reveal' ? revealChanges(row, operation, seen) : [rowChange(row, operation, seen)];
}

/** A batch's commit also queues all its reveals, so that they are due together. The Reveal state queues others. */
function commitChanges(
  row: Attestation,
  operation: Operation,
  { kind, hash, blockTimestamp, batch }: DoneOutcome,
  { revealDelaySeconds, blockTimeSeconds }: ChainSettings,
): Change[] {
  const timeAfter = (seconds: number) => new Date((blockTimestamp + seconds) * 1000).toISOString();
  const revealAt = timeAfter(revealDelaySeconds);
  const status = row.status === 'pending' ? { status: 'committed' } : {};
  const committed = { commitPhase: kind, commitTxHash: hash, revealAt, ...status, batch };
  if (!batch || row.revealPhase !== undefined || isTerminal(row))
    return [rowChange(row, operation, committed)];
  const retryAt = timeAfter(revealDelaySeconds + blockTimeSeconds);
  const place = revealPlace(retryAt, hash);
  const { organizationId, id } = row;
  const owed = { ...committed, revealPhase: 'queued', revealPlace: place };
  return [
    rowChange(row, operation, owed, { revealPhase: undefined }),
    putOperation(row, { organizationId, id, kind: 'reveal', place, queuedAt: revealAt, retryAt }),
  ];
}

/** A link that is already done has the index from before a deep reorg, so it is needed again. */
function revealChanges(row: Attestation, operation: Operation, seen: Fields): Change[] {
  const { linkPhase } = row;
  if (seen.revealPhase === 'mined' || linkPhase === undefined || isOwed(linkPhase))
    return [rowChange(row, operation, seen)];
  const owed = { linkPhase: 'queued', childLinkTxHash: null, childLinkError: undefined };
  const link = { ...operationKey(row, 'link'), queuedAt: operation.queuedAt };
  const change = rowChange(row, operation, { ...seen, ...owed }, { linkPhase });
  return [change, putOperation(queueOf(row, 'link'), link)];
}

/** The link intent may have changed while its link was pending. Then another link is needed. */
function linkChanges(row: Attestation, operation: Operation, outcome: Outcome): Change[] {
  if (!carriesIntent(row, operation)) {
    return outcome.kind === 'mined'
      ? [rowChange(row, operation, { linkPhase: 'queued' })]
      : queueAgain(row, operation, {});
  }
  if (outcome.kind === 'mined' || outcome.kind === 'final')
    return [rowChange(row, operation, { linkPhase: outcome.kind, childLinkTxHash: outcome.hash })];
  const childLinkError = outcome.kind === 'refused' ? outcome.reason : 'the attestation cannot be linked';
  return [rowChange(row, operation, { linkPhase: 'refused', childLinkError })];
}

/** Whether the operation carries the current link intent and index. One without a nonce always does. */
function carriesIntent(row: Attestation, { childSequence, attestationIndex }: Operation): boolean {
  if (childSequence === undefined) return true;
  return childSequence === row.childSequence && attestationIndex === row.attestationIndex;
}

/** Queues an operation again if its final transaction did not do it. A newer link intent starts without reverts. */
function queueAgain(row: Attestation, operation: Operation, { reverts, batchLimit }: RetryFields): Change[] {
  const { kind, queuedAt } = operation;
  const tried = carriesIntent(row, operation) ? { reverts, batchLimit } : {};
  const again = { ...operationKey(row, kind), queuedAt, ...tried } as Operation;
  const owed = rowChange(row, operation, { [phaseName(operation)]: 'queued' });
  return [owed, putOperation(queueOf(row, kind), again)];
}

/** Returns the changes for an operation whose transaction a reorg undid. The attestation's status never changes back. */
export function undoneChanges(row: Attestation, operation: Operation): Change[] {
  const phase = phaseName(operation);
  const isDone = row[phase] === 'mined' || row[phase] === 'final';
  if (!isDone || !carriesIntent(row, operation)) return [];
  const hash =
    operation.kind === 'link' ? { childLinkTxHash: null } : { [`${operation.kind}TxHash`]: undefined };
  const delay = operation.kind === 'commit' ? { revealAt: undefined } : {};
  return [rowChange(row, operation, { [phase]: 'queued', ...hash, ...delay })];
}
