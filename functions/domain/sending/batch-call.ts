import { executeFunction } from 'imprimatur-contracts/delegate-forwarder-abi';
import { type Address, encodeFunctionData, type Hex } from 'viem';
import type { OperationKind } from '../attestation/attestation.ts';
import type { Call, Chain, Route } from '../chain.ts';
import type { Candidate } from '../operation/candidates.ts';
import { batchedCall } from '../operation/registry-call.ts';
import { larger } from './fees.ts';

export interface CallBatch {
  readonly batch: readonly Candidate[];
  /** Whether one registry call covers all operations: one commit, one reveal, or one call with all links. */
  readonly isOneCall: boolean;
  readonly route: Route;
}

/** Returns the first candidates that fit in one transaction. Members are sorted by authority, which costs less gas. */
export async function nextBatch(
  chain: Pick<Chain, 'canBatch'>,
  candidates: readonly Candidate[],
  route: Route,
  maxCount: number,
): Promise<CallBatch> {
  const [first] = candidates;
  if (!first) return { route, batch: [], isOneCall: false };
  if (!(await chain.canBatch(first.row.registryAddress)))
    return { route, batch: takeFirst(candidates, Math.min(maxCount, capacityOf(route))), isOneCall: false };
  const group = takeFirst(
    candidates.filter((candidate) => candidate === first || canShareCall(first, candidate)),
    Math.min(maxCount, batchLimits.members),
  );
  const batch = first.operation.kind === 'commit' ? group.toSorted(byAuthority) : group;
  return { route, batch, isOneCall: batch.length > 1 || first.leaves !== undefined };
}

const byAuthority = ({ row: a }: Candidate, { row: b }: Candidate): number =>
  a.authorityAddress < b.authorityAddress ? -1 : 1;

/** Keeps the first candidates. A single one is sent as its own call, unless it is a member of a batch commit. */
export function shorten({ batch, isOneCall, route }: CallBatch, count: number): CallBatch {
  const isMember = batch[0]?.leaves !== undefined;
  return { route, batch: batch.slice(0, count), isOneCall: isOneCall && (count > 1 || isMember) };
}

function canShareCall(first: Candidate, other: Candidate): boolean {
  const isAlike =
    first.operation.kind === other.operation.kind && first.row.registryAddress === other.row.registryAddress;
  const [ours, theirs] = [first.row.batch, other.row.batch];
  const isSameCommit = ours && theirs && ours.lane === theirs.lane && ours.nonce === theirs.nonce;
  return isAlike && (first.operation.kind !== 'reveal' || isSameCommit === true);
}

function takeFirst(candidates: readonly Candidate[], maxCount: number): Candidate[] {
  const taken: Candidate[] = [];
  let limit = maxCount;
  for (const candidate of candidates) {
    limit = Math.min(limit, candidate.operation.batchLimit ?? limit);
    if (taken.length >= limit) break;
    taken.push(candidate);
  }
  return taken;
}

/**
 * A write has at most 100 changes: 3 for lane, transaction and payload, and 1 for each operation or 2 for each member.
 * EIP-7825 limits the gas.
 */
export const batchLimits = { operations: 96, members: 48, gas: 15_000_000n } as const;

/**
 * Divisor for the size of the next batch after one that reverts as a whole, because it may exceed the node's limit for
 * simulations.
 */
export const shrinkFactor = 8;

export function capacityOf(route: Route): number {
  return route === 'key' ? 1 : batchLimits.operations;
}

/** A key that is the delegate calls the registry. Otherwise the delegate is a forwarder, and the key its operator. */
export function routeOf(delegateAddress: Address, signerAddress: Address): Route {
  return delegateAddress === signerAddress ? 'key' : 'forwarder';
}

export function transactionCall({ batch, isOneCall, route }: CallBatch, signerAddress: Address): Call {
  const [first] = batch;
  const rows = batch.map(({ row }) => row);
  const calls =
    first && isOneCall
      ? [batchedCall(first.call, first.operation.kind, rows, first.leaves ?? [])]
      : batch.map(({ call }) => call);
  return batchCallOf(calls, route, signerAddress);
}

export function batchCallOf(calls: readonly Call[], route: Route, signerAddress: Address): Call {
  const [first] = calls;
  if (!first) throw new Error('a batch needs a call');
  if (route === 'key') return first;
  const args = [calls.map(({ data }): Hex => data)] as const;
  const data = encodeFunctionData({ abi: [executeFunction], args });
  return { from: signerAddress, to: first.from, data };
}

/** Additional gas of a reveal whose content was attested before, without the gas for the words that it writes. */
const laterRevealGas = 8_000n;

/** Adds headroom: if another transaction attests the content first, the reveal writes more words. */
export function gasLimitOf(kinds: readonly OperationKind[], estimate: bigint, wordGas: bigint): bigint {
  const reveals = BigInt(kinds.filter((kind) => kind === 'reveal').length);
  const withHeadroom = reveals > 0n ? estimate + reveals * (2n * wordGas + laterRevealGas) + wordGas : 0n;
  return larger((estimate * 13n) / 10n, withHeadroom);
}
