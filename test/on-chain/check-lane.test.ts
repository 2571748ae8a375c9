import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { checkLane } from './check-lane.ts';
import type { LaneTransaction } from './lane-history.ts';
import type { MinedCall } from './mined-calls.ts';

const word = (digit: string): Hex => `0x${digit.repeat(64)}`;
const authorityAddress: Hex = `0x${'a'.repeat(40)}`;

const transaction = (nonce: number, minedAt: number, ...calls: MinedCall[]): LaneTransaction => ({
  ...{ nonce, minedAt, gasUsed: 50_000, calls },
});
const commit = (content: string): MinedCall => ({
  ...{ kind: 'commit', saltedHash: word(content), succeeded: true },
});
const reveal = (content: string): MinedCall => ({
  ...{ kind: 'reveal', saltedHash: word(content), digest: word(content), authorityAddress, succeeded: true },
});
const failed = (call: MinedCall): MinedCall => ({ ...call, succeeded: false });

/** Two contents, committed and revealed as they should be. */
const sound = [
  transaction(3, 100, commit('1')),
  transaction(4, 101, commit('2')),
  transaction(5, 160, reveal('1')),
  transaction(6, 165, reveal('2')),
];
const digests = [word('1'), word('2')];
const expected = { firstNonce: 3, nextNonce: 7, revealDelaySeconds: 60 };

const failures = (history: readonly LaneTransaction[], changes: Partial<typeof expected> = {}) =>
  checkLane(history, digests, { ...expected, ...changes })
    .filter(({ passed }) => !passed)
    .map(({ statement }) => statement);

const once = (kind: 'commit' | 'reveal') => `each content has exactly one successful ${kind}`;
const early = 'each reveal is at least 60 s after its commit, by block time';
const contiguous = 'nonces are contiguous';

/** Both contents in two transactions, with what else is in them. */
const inBatches = (committed: MinedCall[], revealed: MinedCall[]) => [
  transaction(3, 100, commit('1'), commit('2'), ...committed),
  transaction(4, 165, reveal('1'), ...revealed),
];

describe('checkLane', () => {
  it.each([
    ['everything once and in time', sound, {}],
    [
      'a reverted call beside a successful one',
      [...sound, transaction(7, 170, failed(reveal('1')))],
      { nextNonce: 8 },
    ],
    [
      'batches with failed calls',
      inBatches([failed(reveal('1'))], [failed(commit('1')), reveal('2')]),
      { nextNonce: 5 },
    ],
  ])('passes %s', (_, history, changes) => {
    expect(failures(history, changes)).toEqual([]);
  });

  it.each([
    [
      'a reveal that failed inside its batch',
      inBatches([], [failed(reveal('2'))]),
      5,
      [once('commit'), once('reveal'), early],
    ],
    ['a second commit in the same batch', inBatches([commit('1')], [reveal('2')]), 5, [once('commit')]],
    ['a second commit', [...sound, transaction(7, 170, commit('1'))], 8, [once('commit')]],
    ['a second reveal', [...sound, transaction(7, 170, reveal('1'))], 8, [once('reveal')]],
    [
      'a gap in the nonces',
      sound.map((mined) => (mined.nonce === 6 ? { ...mined, nonce: 7 } : mined)),
      7,
      [contiguous],
    ],
    ['a transaction that the blocks lack', sound, 8, [contiguous]],
    [
      'a reveal a second early',
      sound.map((mined) => (mined.nonce === 5 ? { ...mined, minedAt: 159 } : mined)),
      7,
      [early],
    ],
    ['a content that was never revealed', sound.slice(0, 3), 6, [once('commit'), once('reveal'), early]],
  ])('finds %s', (_, history, nextNonce, found) => {
    expect(failures(history, { nextNonce })).toEqual(found);
  });

  it('finds a lane that does not start where it stood', () => {
    expect(failures(sound, { firstNonce: 2, nextNonce: 6 })).toEqual([contiguous]);
  });
});
