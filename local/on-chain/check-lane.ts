import type { Hex } from 'viem';
import type { LaneTransaction } from './lane-history.ts';
import { type ContentTrace, doneCalls, revealDelayOf, traceContent } from './trace-content.ts';

/** A statement that must hold, and what was found. */
export interface LaneCheck {
  readonly statement: string;
  readonly passed: boolean;
  /** Contradiction found, or the amount that was checked. */
  readonly detail: string;
}

const check = (statement: string, contradictions: readonly string[], looked: string): LaneCheck => ({
  statement,
  passed: contradictions.length === 0,
  detail: contradictions.length === 0 ? looked : contradictions.slice(0, 5).join(', '),
});

/** Compares the signer's transactions, call by call, with what the service promises of them. */
export function checkLane(
  history: readonly LaneTransaction[],
  digests: readonly Hex[],
  expected: { firstNonce: number; nextNonce: number; revealDelaySeconds: number },
): LaneCheck[] {
  const { firstNonce, nextNonce, revealDelaySeconds } = expected;
  const gaps = history.filter(({ nonce }, position) => nonce !== firstNonce + position);
  const missing =
    history.length === nextNonce - firstNonce ? [] : [`${history.length} of ${nextNonce - firstNonce}`];
  const calls = doneCalls(history);
  const traces = digests.map((digest) => traceContent(calls, digest));
  const wrong = (kind: keyof ContentTrace) =>
    digests.filter((_, position) => traces[position]?.[kind].length !== 1);
  const early = digests.filter((_, position) => {
    const delay = traces[position] && revealDelayOf(traces[position]);
    return delay === undefined || delay < revealDelaySeconds;
  });
  const looked = `${history.length} transactions`;
  const contents = `${digests.length} contents`;
  return [
    check('nonces are contiguous', [...gaps.map(({ nonce }) => `nonce ${nonce}`), ...missing], looked),
    check('each content has exactly one successful commit', wrong('commits'), contents),
    check('each content has exactly one successful reveal', wrong('reveals'), contents),
    check(`each reveal is at least ${revealDelaySeconds} s after its commit, by block time`, early, contents),
  ];
}
