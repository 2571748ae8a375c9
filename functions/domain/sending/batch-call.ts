import { type Address, encodeFunctionData, type Hex } from 'viem';
import { executeFunction } from '../../../contracts/artifacts/delegate-forwarder-abi.ts';
import type { OperationKind } from '../attestation/attestation.ts';
import type { Call, Route } from '../chain.ts';
import { batchCallBytes, bytesOf, type Candidate } from '../operation/candidates.ts';

/** Cuts the candidates to the first ones that one transaction can hold. */
export function cut(candidates: readonly Candidate[], capacity: number): Candidate[] {
  const taken: Candidate[] = [];
  let bytes = batchCallBytes;
  let limit = capacity;
  for (const candidate of candidates) {
    bytes += bytesOf(candidate.call);
    limit = Math.min(limit, candidate.operation.batchLimit ?? limit);
    if (taken.length >= limit || (taken.length > 0 && bytes > batchLimits.bytes)) break;
    taken.push(candidate);
  }
  return taken;
}

/**
 * Limits of one transaction. Operations: the write that assigns the nonce has one change for each, beside lane, transaction
 * and payload, and DynamoDB takes 100 at once. Gas: EIP-7825 allows 16,777,216. Bytes: nodes refuse more than 128 KiB.
 */
export const batchLimits = { operations: 96, gas: 15_000_000n, bytes: 120_000 } as const;

/**
 * Returns the route of a delegate's operations. A key that is itself the delegate calls the registry; any other key is
 * an operator of the forwarder that is the delegate.
 */
export function routeOf(delegateAddress: Address, signerAddress: Address): Route {
  return delegateAddress === signerAddress ? 'key' : 'forwarder';
}

/** Returns the number of operations that one transaction of the route can hold. */
export function capacityOf(route: Route): number {
  return route === 'key' ? 1 : batchLimits.operations;
}

/** Builds the transaction that makes the calls, all of one delegate. */
export function batchCallOf(calls: readonly Call[], route: Route, signerAddress: Address): Call {
  const [first] = calls;
  if (!first) throw new Error('a batch needs a call');
  if (route === 'key') return first;
  const args = [calls.map(({ data }): Hex => data)] as const;
  const data = encodeFunctionData({ abi: [executeFunction], args });
  return { from: signerAddress, to: first.from, data };
}

/**
 * Least gas limit of a single call, by kind. Other transactions may change the same storage before it: the second
 * reveal of a content takes almost twice the gas of the first. Unused gas is not paid for.
 */
const floors: Record<OperationKind, bigint> = { commit: 80_000n, reveal: 260_000n, link: 90_000n };

/**
 * Computes the gas limit from an estimate, with headroom for the state that other transactions change between the
 * estimate and the block.
 */
export function gasLimitOf(kinds: readonly OperationKind[], route: Route, estimate: bigint): bigint {
  const generous = (estimate * 13n) / 10n;
  const [kind] = kinds;
  return route === 'key' && kind && generous < floors[kind] ? floors[kind] : generous;
}

/** Computes how many of a batch's operations to try again, when all have this gas limit and may have so much. */
export function fittingCount(count: number, gasLimit: bigint, allowed: bigint): number {
  if (gasLimit <= allowed) return count;
  return Math.max(1, Math.floor((count * Number(allowed)) / Number(gasLimit)));
}
