import { zeroHash } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attest, commit, draft, hash, revealArguments, saltedHash } from './attest.ts';
import { author, other, type RegistryFixture, startRegistry } from './registry.ts';

let registry: RegistryFixture;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

test('emits Committed with the hash', async () => {
  const { events } = await registry.mine(author, 'commit', [hash(10)]);
  expect(events).toEqual([{ eventName: 'Committed', args: { saltedHash: hash(10) } }]);
});

test('refuses a second commit of the same hash by the same sender', async () => {
  await registry.mine(author, 'commit', [hash(11)]);
  const error = await registry.error(author, 'commit', [hash(11)]);
  expect(error).toEqual({ errorName: 'CommitRepeated', args: [author, hash(11)] });
});

test('keeps the clock of the first commit when a second one is tried', async () => {
  const attestation = draft(author, { digest: hash(12) });
  const { timestamp } = await commit(registry, attestation);
  await registry.setNextTimestamp(timestamp + 59n);
  expect((await commit(registry, attestation)).status).toBe('reverted');
  await registry.setNextTimestamp(timestamp + 60n);
  expect((await registry.mine(author, 'reveal', revealArguments(attestation))).status).toBe('success');
});

test('lets the same hash be committed by another sender', async () => {
  await registry.mine(author, 'commit', [hash(13)]);
  expect((await registry.mine(other, 'commit', [hash(13)])).status).toBe('success');
});

test('accepts a hash that was committed and revealed before', async () => {
  const attestation = draft(author, { digest: hash(14) });
  await attest(registry, attestation);
  expect((await registry.mine(author, 'commit', [saltedHash(attestation)])).status).toBe('success');
});

test('treats the zero hash as any other', async () => {
  expect((await registry.mine(author, 'commit', [zeroHash])).status).toBe('success');
  expect(await registry.error(author, 'commit', [zeroHash])).toMatchObject({ errorName: 'CommitRepeated' });
});
