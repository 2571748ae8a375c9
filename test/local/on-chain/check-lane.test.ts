import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { checkLane } from '../../../local/on-chain/check-lane.ts';
import type { LaneTransaction } from '../../../local/on-chain/lane-history.ts';
import type { MinedCall } from '../../../local/on-chain/mined-calls.ts';

const word = (digit: string): Hex => `0x${digit.repeat(64)}`;
const authorityAddress: Hex = `0x${'a'.repeat(40)}`;

const transaction = (nonce: number, minedAt: number, ...calls: MinedCall[]): LaneTransaction => ({
  ...{ nonce, hash: word(String(nonce)), minedAt, gasUsed: 50_000, calls },
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

describe('checkLane', () => {
  it('passes a lane that did everything once and in time', () => {
    expect(failures(sound)).toEqual([]);
  });

  it('lets a reverted transaction beside a successful one pass', () => {
    const reverted = transaction(7, 170, failed(reveal('1')));
    expect(failures([...sound, reverted], { nextNonce: 8 })).toEqual([]);
  });

  it('passes a lane that did it in batches, and counts the calls that failed inside as not made', () => {
    const batches = [
      transaction(3, 100, commit('1'), commit('2'), failed(reveal('1'))),
      transaction(4, 165, reveal('2'), failed(commit('1')), reveal('1')),
    ];
    expect(failures(batches, { nextNonce: 5 })).toEqual([]);
  });

  it('finds a reveal that failed inside its batch', () => {
    const batches = [
      transaction(3, 100, commit('1'), commit('2')),
      transaction(4, 165, reveal('1'), failed(reveal('2'))),
    ];
    expect(failures(batches, { nextNonce: 5 })).toContain('each content has exactly one successful reveal');
  });

  it('finds a second successful commit in the same batch', () => {
    const batches = [
      transaction(3, 100, commit('1'), commit('2'), commit('1')),
      transaction(4, 165, reveal('1'), reveal('2')),
    ];
    expect(failures(batches, { nextNonce: 5 })).toEqual(['each content has exactly one successful commit']);
  });

  it('finds a gap in the nonces', () => {
    const gap = sound.map((mined) => (mined.nonce === 6 ? { ...mined, nonce: 7 } : mined));
    expect(failures(gap)).toEqual(['nonces are contiguous']);
  });

  it('finds transactions that the chain counts and the blocks lack', () => {
    expect(failures(sound, { nextNonce: 8 })).toEqual(['nonces are contiguous']);
  });

  it('finds a lane that does not start where it stood', () => {
    expect(failures(sound, { firstNonce: 2, nextNonce: 6 })).toEqual(['nonces are contiguous']);
  });

  it('finds a reveal that came a second early', () => {
    const early = sound.map((mined) => (mined.nonce === 5 ? { ...mined, minedAt: 159 } : mined));
    expect(failures(early)).toEqual(['each reveal is at least 60 s after its commit, by block time']);
  });

  it('finds a second successful reveal', () => {
    const twice = [...sound, transaction(7, 170, reveal('1'))];
    expect(failures(twice, { nextNonce: 8 })).toEqual(['each content has exactly one successful reveal']);
  });

  it('finds a second successful commit', () => {
    const twice = [...sound, transaction(7, 170, commit('1'))];
    expect(failures(twice, { nextNonce: 8 })).toEqual(['each content has exactly one successful commit']);
  });

  it('finds a content that was never revealed', () => {
    expect(failures(sound.slice(0, 3), { nextNonce: 6 })).toEqual([
      'each content has exactly one successful commit',
      'each content has exactly one successful reveal',
      'each reveal is at least 60 s after its commit, by block time',
    ]);
  });
});
