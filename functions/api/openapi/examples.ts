import type { AttestationBody, CreationBody, ProofBody, QuoteBody } from '../bodies/answers.ts';

/** Chain ID of Sepolia, where the public registry is deployed. */
export const chainId = 11_155_111;

/** A request that can be sent unchanged, on the default chain. `path` is the path with a stage of API Gateway. */
export const article = {
  path: '/live/v1/attestations',
  request: {
    content: 'An article.',
    url: 'https://news.example/2026/an-article',
    metadata: { desk: 'science', revision: 3 },
  },
};

const id = '019b76da-a800-7000-8000-00000000a001';
const newerId = '019b7c01-0400-7000-8000-00000000a002';
const authorityAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const registryAddress = '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381';
const contentCid = 'bafkreib3nls43dlzxxzeqkfjatpvatc2oxgl2thhgs45vi5jlygoojfa7a';

export const creation: CreationBody = { id, status: 'pending', contentCid, chainId, authorityAddress };

export const pending: AttestationBody = {
  ...creation,
  registryAddress,
  url: article.request.url,
  error: null,
  childAttestationId: null,
  childLinkTxHash: null,
  createdAt: '2026-01-01T00:00:00.000Z',
};

export const committed: AttestationBody = {
  ...pending,
  status: 'committed',
  commitTxHash: '0x5f2c1fd2b6a0c3bd6c3d8b4b3cf0dc2f3d7e1d5b2c0f64f9f6e2f5a1b0c9d8e7',
};

export const confirmed: AttestationBody = {
  ...committed,
  status: 'confirmed',
  revealTxHash: '0xa1b8d7c6e5f40312233445566778899aabbccddeeff00112233445566778899a',
  attestationIndex: 42,
  confirmedAt: '2026-01-01T00:01:36.000Z',
};

export const revoked: AttestationBody = { ...confirmed, revokedAt: '2026-01-01T09:30:12.000Z' };

export const failed: AttestationBody = {
  ...committed,
  status: 'failed',
  error: 'gas price stayed above the cap of 200 gwei for 24 h; submit the content again',
};

/** An attestation linked to the corrected article; the link is not mined yet. */
export const linking: AttestationBody = { ...confirmed, childAttestationId: newerId };

export const linked: AttestationBody = {
  ...linking,
  childLinkTxHash: '0x0c5b1ab7de0f5e7d35f8b3a9c2d4e6f81a3b5c7d9e0f2a4b6c8d0e1f3a5b7c9d',
};

export const proof: ProofBody = {
  version: 1,
  reference: {
    contentCid,
    chainId,
    registryAddress,
    authorityAddress,
    attestationIndex: 42,
  },
  content: {
    quoteRoot: '0x6b1f0ad7c9be5a8f4d2e3c1b0a99887766554433221100ffeeddccbbaa998877',
    quoteTree: 'taanq-46',
  },
  attested: {
    commitTransaction: committed.commitTxHash,
    revealTransaction: confirmed.revealTxHash,
    block: 9_876_543,
    time: '2026-01-01T00:01:36.000Z',
  },
  registry: { codeHash: '0x0badc0de7c9be5a8f4d2e3c1b0a99887766554433221100ffeeddccbbaa99887' },
};

export const linkRequest = { childAttestationId: newerId };

export const quoteRequest = { passage: 'An article' };

export const quote: QuoteBody = {
  version: 1,
  ...{ ipfsCid: contentCid, chainId, registryAddress, authority: authorityAddress, attestationIndex: 42 },
  segments: [{ text: quoteRequest.passage, chunk: 0, offset: 0 }],
  // With a single chunk the leaf is the root.
  proof: [{ value: ['0', article.request.content], proof: [] }],
};

export const chainList = {
  chains: [
    {
      chainId,
      name: 'Sepolia',
      registryAddress,
      authorityAddress,
      delegateAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      delegationActive: true,
      explorerUrl: 'https://sepolia.etherscan.io',
    },
  ],
};
