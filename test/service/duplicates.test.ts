import { concat, type Hex, keccak256, pad, zeroHash } from 'viem';
import { expect, test } from 'vitest';
import { contentCid, contentDigest, parseContent } from '../../functions/domain/content.ts';
import { quoteRoot } from '../../functions/domain/quote-tree.ts';
import { commitBy, publicClient, revealBy, revokeAttestation } from './chain.ts';
import { article, newPublisher, type Publisher } from './publisher.ts';
import { stack } from './running-stack.ts';

test('identical content returns the attestation that exists, with its first url and metadata', async () => {
  const { api } = await newPublisher();
  const content = article();
  const first = await api.create({ content, url: 'https://example.org/first' });
  const again = await api.create({ content, url: 'https://example.org/second', metadata: { other: true } });
  expect(again).toMatchObject({
    status: 200,
    body: { id: first.body.id, contentCid: first.body.contentCid },
  });
  expect((await api.get(first.body.id)).body.url).toBe('https://example.org/first');
  expect((await api.list()).body.attestations).toHaveLength(1);
});

test('the same content posted sixteen times at once is accepted once', async () => {
  const { api } = await newPublisher();
  const content = article();
  const answers = await Promise.all(Array.from({ length: 16 }, () => api.create({ content })));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(15).fill(200), 202]);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
});

test('whitespace makes another content', async () => {
  const { api } = await newPublisher();
  const content = article();
  const [plain, spaced] = await Promise.all([
    api.create({ content }),
    api.create({ content: `${content} ` }),
  ]);
  expect([plain.status, spaced.status]).toEqual([202, 202]);
  expect(plain.body.contentCid).not.toBe(spaced.body.contentCid);
});

/** The authority attests by itself, without the service. */
async function attestDirectly({ authority }: Publisher, text: string): Promise<void> {
  const salt = keccak256('0x5a17');
  const digest = contentDigest(parseContent(text));
  const saltedHash: Hex = keccak256(
    concat([digest, pad(authority.address, { size: 32, dir: 'right' }), salt]),
  );
  await commitBy(authority, saltedHash);
  const { timestamp: committedAt } = await publicClient.getBlock();
  for (;;) {
    const { timestamp } = await publicClient.getBlock();
    if (timestamp >= committedAt + BigInt(stack.revealDelaySeconds)) break;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  await revealBy(authority, [saltedHash, salt, digest, quoteRoot(text), zeroHash, authority.address]);
}

test('content that the authority attested itself is confirmed at once, without delegation or hashes', async () => {
  const publisher = await newPublisher({ delegated: false });
  const content = article('attested directly');
  await attestDirectly(publisher, content);
  const { status, body } = await publisher.api.create({ content });
  const cid = contentCid(contentDigest(parseContent(content)));
  expect({ status, body }).toMatchObject({ status: 200, body: { status: 'confirmed', contentCid: cid } });
  const attestation = (await publisher.api.get(body.id)).body;
  expect(attestation).toMatchObject({
    status: 'confirmed',
    attestationIndex: expect.any(Number),
    error: null,
  });
  expect(attestation).not.toHaveProperty('commitTxHash');
  expect(attestation).not.toHaveProperty('revealTxHash');

  await revokeAttestation(publisher.authority, Number(attestation.attestationIndex));
  expect((await publisher.api.create({ content })).body).toMatchObject({ id: body.id, status: 'confirmed' });
});

test('content that was revoked on-chain is refused', async () => {
  const publisher = await newPublisher();
  const content = article('to be revoked');
  await attestDirectly(publisher, content);
  const { chainId } = stack;
  const digest = contentDigest(parseContent(content));
  const { attestationIndex } = await import('./chain.ts');
  await revokeAttestation(publisher.authority, await attestationIndex(digest, publisher.authority.address));
  expect(await publisher.api.create({ content })).toMatchObject({
    status: 409,
    body: { error: `content was revoked on chain ${chainId} and cannot be attested again`, chainId },
  });
});
