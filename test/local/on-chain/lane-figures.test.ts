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
  ...{ nonce, minedAt: 100, gasUsed, calls },
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
    });
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
    });
  });
});
