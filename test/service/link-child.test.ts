import { expect, test } from 'vitest';
import { digestOf } from './conformance/shapes.ts';
import { childOf, delegate, revokeDelegation } from './stack/chain.ts';
import type { Body } from './stack/http-client.ts';
import { article, newPublisher } from './stack/publisher.ts';

const isLinked = ({ childLinkTxHash }: Body) => childLinkTxHash !== null;

// What section 4.4 leaves open: service/conformance/section-4-4.test.ts has the rest.
test('the last of several children posted at once stands; a link without a delegation says why, and can be posted again', async () => {
  const { api, authority } = await newPublisher();
  const drafts = [article('second draft'), article('third draft')] as const;
  const confirmed = api.attest(article('first draft'));
  const children = await Promise.all(drafts.map(async (content) => (await api.create({ content })).body.id));
  const { id, attestationIndex } = await confirmed;
  const [second, third] = children;
  for (const child of [second, third, second, third, third])
    expect((await api.link(id, child)).status).toBe(202);
  expect(await api.until(id, isLinked)).toMatchObject({ childAttestationId: third });
  expect(await childOf(Number(attestationIndex))).toBe(digestOf(drafts[1]));

  await revokeDelegation(authority);
  expect((await api.link(id, second)).status).toBe(202);
  const refused = await api.until(id, ({ childLinkError }) => childLinkError !== undefined);
  expect(refused).toMatchObject({
    ...{ status: 'confirmed', error: null, childLinkTxHash: null },
    childLinkError: expect.stringContaining(`delegation of ${authority.address}`),
  });
  await delegate(authority);
  expect((await api.link(id, second)).status).toBe(202);
  expect(await api.until(id, isLinked)).not.toHaveProperty('childLinkError');
});
