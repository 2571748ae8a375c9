import type { Hex } from 'viem';
import type { LaneTransaction } from './lane-history.ts';
import type { MinedCall } from './mined-calls.ts';

/** A statement that must hold, and what was found. */
export interface LaneCheck {
  readonly statement: string;
  readonly passed: boolean;
  /** Contradiction found, or the amount that was checked. */
  readonly detail: string;
}

/** Makes a check that passes where nothing contradicts it. */
function check(statement: string, contradictions: readonly string[], looked: string): LaneCheck {
  const passed = contradictions.length === 0;
  return { statement, passed, detail: passed ? looked : contradictions.slice(0, 5).join(', ') };
}

/** A call that succeeded, and its block's timestamp. */
type DoneCall = MinedCall & Pick<LaneTransaction, 'minedAt'>;

/** The calls in a lane's history that concern one content: its reveals, and the commits that belong to them. */
interface ContentTrace {
  readonly digest: Hex;
  readonly commits: readonly DoneCall[];
  readonly reveals: readonly DoneCall[];
}

function traceContents(history: readonly LaneTransaction[], digests: readonly Hex[]): ContentTrace[] {
  const calls = history
    .flatMap((transaction) => transaction.calls.map((call) => ({ ...call, minedAt: transaction.minedAt })))
    .filter(({ succeeded }) => succeeded);
  return digests.map((digest) => {
    const reveals = calls.filter((call) => call.kind === 'reveal' && call.digest === digest);
    const salted = new Set(reveals.map((call) => call.kind === 'reveal' && call.saltedHash));
    const commits = calls.filter((call) => call.kind === 'commit' && salted.has(call.saltedHash));
    return { digest, commits, reveals };
  });
}

/** Seconds between commit and reveal by block time; undefined when either is missing. */
function revealDelayOf({ commits: [commit], reveals: [reveal] }: ContentTrace): number | undefined {
  return commit && reveal && reveal.minedAt - commit.minedAt;
}

/** Compares the signer's transactions, call by call, with what the service promises of them. */
export function checkLane(
  history: readonly LaneTransaction[],
  digests: readonly Hex[],
  expected: { firstNonce: number; nextNonce: number; revealDelaySeconds: number },
): LaneCheck[] {
  const { firstNonce, nextNonce, revealDelaySeconds } = expected;
  const count = nextNonce - firstNonce;
  const gaps = history.filter(({ nonce }, position) => nonce !== firstNonce + position);
  const missing = history.length === count ? [] : [`${history.length} of ${count}`];
  const traces = traceContents(history, digests);
  const where = (isWrong: (trace: ContentTrace) => boolean) =>
    traces.filter(isWrong).map(({ digest }) => digest);
  const isEarly = (trace: ContentTrace) => (revealDelayOf(trace) ?? -1) < revealDelaySeconds;
  const contents = `${digests.length} contents`;
  return [
    check(
      'nonces are contiguous',
      [...gaps.map(({ nonce }) => `nonce ${nonce}`), ...missing],
      `${history.length} transactions`,
    ),
    check(
      'each content has exactly one successful commit',
      where(({ commits }) => commits.length !== 1),
      contents,
    ),
    check(
      'each content has exactly one successful reveal',
      where(({ reveals }) => reveals.length !== 1),
      contents,
    ),
    check(
      `each reveal is at least ${revealDelaySeconds} s after its commit, by block time`,
      where(isEarly),
      contents,
    ),
  ];
}
