import type { Attestation } from '../src/imprimatur.ts';

export const id = '01930000-0000-7000-8000-000000000001';
export const childId = '01930000-0000-7000-8000-000000000002';

/** An attestation just accepted, but for what is given. */
export function attestation(fields: Partial<Attestation> = {}): Attestation {
  return {
    id,
    chainId: 31337,
    registryAddress: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381',
    authorityAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    contentCid: 'bafkreifzjut3te7nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e',
    status: 'pending',
    error: null,
    childAttestationId: null,
    childLinkTxHash: null,
    createdAt: '2026-11-21T12:00:00.000Z',
    ...fields,
  };
}

export const confirmed: Partial<Attestation> = {
  status: 'confirmed',
  commitTxHash: `0x${'c1'.repeat(32)}`,
  revealTxHash: `0x${'e1'.repeat(32)}`,
  attestationIndex: 7,
  confirmedAt: '2026-11-21T12:02:00.000Z',
};
