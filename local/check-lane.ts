import type { Hex } from 'viem';
import type { LaneTransaction } from './lane-history.ts';

/** One thing that must hold, and what was found. */
export interface Check {
  readonly statement: string;
  readonly passed: boolean;
  /** What contradicts the statement, or how much was looked at. */
  readonly detail: string;
}

/** What of a lane's history concerns one content. */
export interface ContentTrace {
  readonly commits: readonly LaneTransaction[];
  readonly reveals: readonly LaneTransaction[];
}

const check = (statement: string, contradictions: readonly string[], looked: string): Check => ({
  statement,
  passed: contradictions.length === 0,
  detail: contradictions.length === 0 ? looked : contradictions.slice(0, 5).join(', '),
});

/** The successful reveals of a digest, and the successful commits that belong to them. */
export function traceContent(history: readonly LaneTransaction[], digest: Hex): ContentTrace {
  const succeeded = history.filter((transaction) => transaction.succeeded);
  const reveals = succeeded.filter(({ call }) => call?.kind === 'reveal' && call.digest === digest);
  const salted = new Set(reveals.map(({ call }) => call?.kind === 'reveal' && call.saltedHash));
  const commits = succeeded.filter(({ call }) => call?.kind === 'commit' && salted.has(call.saltedHash));
  return { commits, reveals };
}

/** Seconds between a content's commit and reveal by block time; undefined when either is missing. */
export function revealDelayOf({ commits: [commit], reveals: [reveal] }: ContentTrace): number | undefined {
  return commit && reveal && reveal.minedAt - commit.minedAt;
}

/** What the signer's transactions say, compared with what the service promises of them. */
export function checkLane(
  history: readonly LaneTransaction[],
  digests: readonly Hex[],
  expected: { firstNonce: number; nextNonce: number; revealDelaySeconds: number },
): Check[] {
  const { firstNonce, nextNonce, revealDelaySeconds } = expected;
  const gaps = history.filter(({ nonce }, position) => nonce !== firstNonce + position);
  const missing =
    history.length === nextNonce - firstNonce ? [] : [`${history.length} of ${nextNonce - firstNonce}`];
  const traces = digests.map((digest) => traceContent(history, digest));
  const wrong = (kind: keyof ContentTrace) =>
    digests.filter((_, position) => traces[position]?.[kind].length !== 1);
  const early = digests.filter((_, position) => {
    const delay = traces[position] && revealDelayOf(traces[position]);
    return delay === undefined || delay < revealDelaySeconds;
  });
  const looked = `${history.length} transactions`;
  return [
    check('nonces are contiguous', [...gaps.map(({ nonce }) => `nonce ${nonce}`), ...missing], looked),
    check('each content has exactly one successful commit', wrong('commits'), `${digests.length} contents`),
    check('each content has exactly one successful reveal', wrong('reveals'), `${digests.length} contents`),
    check(`each reveal is at least ${revealDelaySeconds} s after its commit, by block time`, early, looked),
  ];
}
