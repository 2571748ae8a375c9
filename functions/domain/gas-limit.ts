import type { OperationKind } from './attestation.ts';
import { envelopeLimits } from './envelope.ts';
import type { Route } from './lane.ts';

/**
 * What gas an operation may take when others change the same storage before it: the second reveal of a content takes
 * most of twice the first. Gas not used is not paid for.
 */
const floors: Record<OperationKind, bigint> = { commit: 80_000n, reveal: 260_000n, link: 90_000n };

/** An estimate above this leaves too little room below the limit: the batch is made smaller. */
const largestEstimate = 14_000_000n;

/** How many of so many operations may be tried again, when all of them would take this much gas. */
export function fittingCount(count: number, estimate: bigint): number {
  if (estimate <= largestEstimate) return count;
  return Math.max(1, Math.floor((count * Number(largestEstimate)) / Number(estimate)));
}

/** Headroom for the state that other transactions change between the estimate and the block. */
export function gasLimitOf(kinds: readonly OperationKind[], route: Route, estimate: bigint): bigint {
  const generous = (estimate * 13n) / 10n;
  const [kind] = kinds;
  if (route === 'key' && kind) return generous > floors[kind] ? generous : floors[kind];
  return generous < envelopeLimits.gas ? generous : envelopeLimits.gas;
}
