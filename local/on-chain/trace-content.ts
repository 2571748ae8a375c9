import type { Hex } from 'viem';
import type { LaneTransaction } from './lane-history.ts';
import type { MinedCall } from './mined-calls.ts';

/** A call that succeeded, and its block's timestamp, in seconds since 1970. */
export type DoneCall = MinedCall & { readonly minedAt: number };

/** The calls in a lane's history that concern one content. */
export interface ContentTrace {
  readonly commits: readonly DoneCall[];
  readonly reveals: readonly DoneCall[];
}

/** Selects the calls that succeeded, in their order on the chain. */
export function doneCalls(history: readonly LaneTransaction[]): DoneCall[] {
  return history
    .flatMap(({ calls, minedAt }) => calls.map((call) => ({ ...call, minedAt })))
    .filter(({ succeeded }) => succeeded);
}

/** Finds the reveals of a digest, and the commits that belong to them. */
export function traceContent(calls: readonly DoneCall[], digest: Hex): ContentTrace {
  const reveals = calls.filter((call) => call.kind === 'reveal' && call.digest === digest);
  const salted = new Set(reveals.map((call) => call.kind === 'reveal' && call.saltedHash));
  const commits = calls.filter((call) => call.kind === 'commit' && salted.has(call.saltedHash));
  return { commits, reveals };
}

/** Computes the seconds between a content's commit and reveal by block time; undefined when either is missing. */
export function revealDelayOf({ commits: [commit], reveals: [reveal] }: ContentTrace): number | undefined {
  return commit && reveal && reveal.minedAt - commit.minedAt;
}
