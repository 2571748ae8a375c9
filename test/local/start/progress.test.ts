import { expect, test } from 'vitest';
import type { Attestation } from '../../../client/imprimatur.ts';
import { showProgress } from '../../../local/start/progress.ts';

const pending: Attestation = {
  ...{ id: '019b76da-a800-7000-8000-00000000a001', chainId: 1, status: 'pending', error: null },
  ...{
    registryAddress: '0x1',
    authorityAddress: '0x',
    contentCid: 'b',
    createdAt: '2026-01-01T00:00:00.000Z',
  },
  ...{ childAttestationId: null, childLinkTxHash: null },
};

const looks: Attestation[] = [
  pending,
  pending,
  { ...pending, status: 'committed', commitTxHash: '0x1' },
  { ...pending, status: 'confirmed', attestationIndex: 7, revealTxHash: '0x2' },
];

test('shows each status once', () => {
  let shown = '';
  const show = showProgress({ write: (text) => (shown += text) });
  for (const [seconds, attestation] of looks.entries()) show(attestation, seconds);
  expect(shown).toBe(
    '    0 s  pending\n    2 s  committed  in 0x1\n    3 s  confirmed  as number 7, in 0x2\n',
  );
});

test('counts the seconds in one line of a terminal', () => {
  let shown = '';
  const show = showProgress({ isTTY: true, write: (text) => (shown += text) });
  for (const [seconds, attestation] of looks.slice(0, 2).entries()) show(attestation, seconds);
  expect(shown).toBe('\r\x1b[K    0 s  pending\r\x1b[K    1 s  pending');
});
