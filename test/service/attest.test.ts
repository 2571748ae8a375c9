import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contentCid, contentDigest, parseContent } from '../../functions/domain/content.ts';
import { verifyAttestation } from '../../verifier/verify.ts';
import { publicClient } from './chain.ts';
import { article, newPublisher } from './publisher.ts';
import { stack } from './running-stack.ts';

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const hash = /^0x[0-9a-f]{64}$/;

test('an article is accepted at once, committed, revealed after the delay and confirmed', async () => {
  const { api, authority } = await newPublisher();
  const content = article();
  const posted = await api.create({ content, url: 'https://example.org/a', metadata: { desk: 'science' } });
  const cid = contentCid(contentDigest(parseContent(content)));
  const accepted = {
    id: expect.stringMatching(uuidV7),
    status: 'pending',
    contentCid: cid,
    chainId: stack.chainId,
    authorityAddress: authority.address,
  };
  expect(posted).toMatchObject({ status: 202, body: accepted });
  expect(posted.headers.get('location')).toMatch(new RegExp(`/v1/attestations/${posted.body.id}$`));

  const committed = await api.until(posted.body.id, ({ status }) => status !== 'pending');
  expect(committed).toEqual({
    ...accepted,
    url: 'https://example.org/a',
    status: 'committed',
    commitTxHash: expect.stringMatching(hash),
    error: null,
    childAttestationId: null,
    childLinkTxHash: null,
    createdAt: expect.any(String),
  });

  const confirmed = await api.until(posted.body.id, ({ status }) => status !== 'committed');
  expect(confirmed).toEqual({
    ...committed,
    status: 'confirmed',
    revealTxHash: expect.stringMatching(hash),
    attestationIndex: expect.any(Number),
    confirmedAt: expect.any(String),
  });

  const [commit, reveal] = await Promise.all([
    minedAt(confirmed.commitTxHash),
    minedAt(confirmed.revealTxHash),
  ]);
  expect(reveal - commit).toBeGreaterThanOrEqual(stack.revealDelaySeconds);
  expect(Date.parse(String(confirmed.confirmedAt)) / 1000).toBe(reveal);
});

async function minedAt(transactionHash: unknown): Promise<number> {
  const { blockHash } = await publicClient.getTransactionReceipt({ hash: transactionHash as `0x${string}` });
  return Number((await publicClient.getBlock({ blockHash })).timestamp);
}

test('a confirmed attestation is verified by the verifier, which asks only the chain', async () => {
  const { api, authority } = await newPublisher();
  const text = article('to be verified');
  const { attestationIndex, contentCid: cid } = await api.attest(text);
  const result = await verifyAttestation(publicClient, {
    chainId: stack.chainId,
    registryAddress: stack.registryAddress,
    authorityAddress: authority.address,
    contentCid: String(cid),
    attestationIndex: Number(attestationIndex),
    text,
  });
  expect(result).toMatchObject({ verified: true });
});

const { vectors, reject } = JSON.parse(readFileSync('test/vectors/cid.json', 'utf8')) as {
  vectors: {
    name: string;
    contentJsonString?: string;
    recipe?: { unit: string; times: number };
    byteLength: number;
    cidV1Raw: string;
  }[];
  reject: { name: string; contentJsonString: string }[];
};

test('every content vector is answered with its CID, or 400 outside 1 to 1,048,576 bytes', async () => {
  const { api } = await newPublisher();
  for (const { name, contentJsonString, recipe, byteLength, cidV1Raw } of vectors) {
    const content = recipe ? JSON.stringify(recipe.unit.repeat(recipe.times)) : contentJsonString;
    const { status, body } = await api.send('POST', '/v1/attestations', `{"content":${content}}`);
    const allowed = byteLength >= 1 && byteLength <= 1_048_576;
    expect([name, status, body.contentCid]).toEqual([
      name,
      allowed ? 202 : 400,
      allowed ? cidV1Raw : undefined,
    ]);
  }
});

test('a string that is not well-formed Unicode is refused by name', async () => {
  const { api } = await newPublisher();
  expect(reject.length).toBeGreaterThan(0);
  for (const { name, contentJsonString } of reject) {
    const { status, body } = await api.send('POST', '/v1/attestations', `{"content":${contentJsonString}}`);
    expect([name, status, (body.issues as { path: string[] }[])[0]?.path]).toEqual([name, 400, ['content']]);
  }
});
