import { expect, test } from 'vitest';
import { delegate, revokeDelegation } from './chain.ts';
import { article, newPublisher } from './publisher.ts';
import { stack } from './running-stack.ts';

const { chainId } = stack;
const noDelegation = { status: 409, body: { error: `no active delegation for chain ${chainId}`, chainId } };

test('without a delegation nothing is accepted; with it the same content is', async () => {
  const { api, authority } = await newPublisher({ delegated: false });
  const content = article();
  expect(await api.create({ content })).toMatchObject(noDelegation);
  expect((await api.list()).body.attestations).toEqual([]);
  await delegate(authority);
  expect(await api.create({ content })).toMatchObject({ status: 202 });
});

test('a delegation to somebody else is none', async () => {
  const { api, authority } = await newPublisher({ delegated: false });
  await delegate(authority, authority.address);
  expect(await api.create({ content: article() })).toMatchObject(noDelegation);
});

test('a chain that is not served has no delegation', async () => {
  const { api } = await newPublisher();
  const body = { error: 'no active delegation for chain 424242', chainId: 424242 };
  expect(await api.create({ content: article(), chainId: 424242 })).toMatchObject({ status: 409, body });
});

test('no chain in the request, of the organisation or of the service is a 400', async () => {
  const { api } = await newPublisher({ defaultChain: false });
  const content = article();
  const refused = { status: 400, body: { error: 'no chainId given and no default configured' } };
  expect(await api.create({ content })).toMatchObject(refused);
  expect(await api.create({ content, chainId })).toMatchObject({ status: 202, body: { chainId } });
});

test('a delegation revoked after 202 ends as failed with its message; delegated again, the content succeeds', async () => {
  const { api, authority } = await newPublisher();
  const content = article();
  const first = await api.create({ content });
  await api.until(first.body.id, ({ status }) => status === 'committed');
  await revokeDelegation(authority);
  const failed = await api.until(first.body.id, ({ status }) => status !== 'committed');
  expect(failed).toMatchObject({
    status: 'failed',
    error:
      `delegation of ${authority.address} to ${stack.signerAddress} on chain ${chainId} is not active; ` +
      'delegate again and submit the content again',
  });
  expect(failed).not.toHaveProperty('attestationIndex');

  await delegate(authority);
  const second = await api.create({ content });
  expect(second.status).toBe(202);
  expect(second.body.id).not.toBe(first.body.id);
  const ended = await api.until(
    second.body.id,
    ({ status }) => status === 'confirmed' || status === 'failed',
  );
  expect(ended).toMatchObject({ status: 'confirmed', error: null });
  expect((await api.get(first.body.id)).body).toEqual(failed);
});
