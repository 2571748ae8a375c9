import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { laneFigures } from '../../../local/on-chain/lane-figures.ts';
import type { LaneTransaction } from '../../../local/on-chain/lane-history.ts';
import type { MinedCall } from '../../../local/on-chain/mined-calls.ts';

const commit: MinedCall = { kind: 'commit', saltedHash: '0x1', succeeded: true };
const reveal: MinedCall = {
  ...{ kind: 'reveal', saltedHash: '0x1', digest: '0x2', succeeded: true },
  authorityAddress: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
};
const skipped: MinedCall = { ...reveal, succeeded: false };

const transaction = (nonce: number, gasUsed: number, ...calls: MinedCall[]): LaneTransaction => ({
  ...{ nonce, hash: '0x1', minedAt: 100, gasUsed, calls },
});

describe('laneFigures', () => {
  it('tells how many calls the transactions carried, and what an attestation took', () => {
    const history = [
      transaction(0, 100_000, commit),
      transaction(1, 90_000, { kind: 'other', succeeded: true }),
      transaction(2, 410_000, reveal, reveal, skipped, reveal),
      transaction(3, 100_000, reveal),
    ];
    expect(laneFigures(history)).toEqual({
      ...{ transactions: 4, calls: 7, failedCalls: 1 },
      revealsPerTransaction: { median: 1, largest: 3 },
      gasPerAttestation: 175_000,
      batches: [],
    });
  });

  it('tells what those took that share a commit, split reveals too, by how many they are', () => {
    const of = (call: MinedCall, saltedHash: Hex): MinedCall => ({ ...call, saltedHash }) as MinedCall;
    const history = [
      ...[transaction(0, 50_000, of(commit, '0xa')), transaction(1, 50_000, of(commit, '0xb'))],
      ...[transaction(2, 46_000, of(commit, '0xc')), transaction(3, 50_000, of(commit, '0xd'))],
      transaction(4, 150_000, of(reveal, '0xa'), of(reveal, '0xa'), of(reveal, '0xa')),
      transaction(5, 60_000, of(reveal, '0xa')),
      transaction(6, 178_000, of(reveal, '0xb'), of(reveal, '0xb'), of(reveal, '0xb'), of(reveal, '0xb')),
      transaction(7, 100_000, of(reveal, '0xc')),
      // One that was skipped says nothing of a whole batch, and several calls in one transaction nothing of each.
      transaction(8, 90_000, of(reveal, '0xd'), of(skipped, '0xd')),
      transaction(9, 500_000, of(reveal, '0xe'), of(reveal, '0xf')),
      // Committed before the history begins.
      transaction(10, 300_000, of(reveal, '0x9')),
    ];
    expect(laneFigures(history).batches).toEqual([
      { members: 1, count: 1, gasPerAttestation: 146_000 },
      { members: 4, count: 2, gasPerAttestation: (260_000 + 228_000) / 8 },
    ]);
  });

  it('leaves cancellations out of what an attestation took', () => {
    const figures = laneFigures([transaction(0, 50_000, reveal), transaction(1, 21_000)]);
    expect(figures).toMatchObject({ transactions: 2, gasPerAttestation: 50_000 });
  });

  it('is zero of a lane that did nothing', () => {
    expect(laneFigures([])).toEqual({
      ...{ transactions: 0, calls: 0, failedCalls: 0 },
      revealsPerTransaction: { median: 0, largest: 0 },
      gasPerAttestation: 0,
      batches: [],
    });
  });
});
