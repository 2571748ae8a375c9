import { zeroAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commit, draft, hash, revealArguments } from './attest.ts';
import { author, other, platform, type RegistryFixture, startRegistry, third } from './registry.ts';

let registry: RegistryFixture;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

test('emits DelegateSet and shows the delegate and since when', async () => {
  const { events, timestamp } = await registry.mine(author, 'delegate', [platform]);
  const args = { authority: author, delegateAddress: platform };
  expect(events).toEqual([{ eventName: 'DelegateSet', args }]);
  expect(await registry.view.delegations([author])).toEqual([platform, timestamp]);
});

test('replaces the delegate by a new one', async () => {
  await registry.mine(author, 'delegate', [platform]);
  const { timestamp } = await registry.mine(author, 'delegate', [third]);
  expect(await registry.view.delegations([author])).toEqual([third, timestamp]);
});

test('shows nothing for an authority that has not delegated', async () => {
  expect(await registry.view.delegations([third])).toEqual([zeroAddress, 0n]);
});

test('refuses the zero address as delegate', async () => {
  const error = await registry.error(author, 'delegate', [zeroAddress]);
  expect(error).toMatchObject({ errorName: 'DelegateZero' });
});

test('revokes the delegation, and once more without an error', async () => {
  await registry.mine(author, 'delegate', [platform]);
  const cleared = [{ eventName: 'DelegateSet', args: { authority: author, delegateAddress: zeroAddress } }];
  expect((await registry.mine(author, 'revokeDelegation', [])).events).toEqual(cleared);
  expect(await registry.view.delegations([author])).toEqual([zeroAddress, 0n]);
  expect((await registry.mine(author, 'revokeDelegation', [])).events).toEqual(cleared);
});

test('refuses the reveal when the delegation is revoked after the commit', async () => {
  const attestation = draft(platform, { digest: hash(50), authority: other });
  await registry.mine(other, 'delegate', [platform]);
  const { timestamp } = await commit(registry, attestation);
  await registry.mine(other, 'revokeDelegation', []);
  await registry.mineAt(timestamp + 60n);
  const error = await registry.error(platform, 'reveal', revealArguments(attestation));
  expect(error).toEqual({ errorName: 'SenderUnauthorized', args: [platform, other] });
});

test('refuses the reveal when the delegation moves to another after the commit', async () => {
  const attestation = draft(platform, { digest: hash(51), authority: other });
  await registry.mine(other, 'delegate', [platform]);
  const { timestamp } = await commit(registry, attestation);
  await registry.mine(other, 'delegate', [third]);
  await registry.mineAt(timestamp + 60n);
  const error = await registry.error(platform, 'reveal', revealArguments(attestation));
  expect(error).toEqual({ errorName: 'SenderUnauthorized', args: [platform, other] });
});

test('accepts the reveal when the delegation comes after the commit', async () => {
  const attestation = draft(platform, { digest: hash(52), authority: third });
  const { timestamp } = await commit(registry, attestation);
  await registry.mine(third, 'delegate', [platform]);
  await registry.setNextTimestamp(timestamp + 60n);
  expect((await registry.mine(platform, 'reveal', revealArguments(attestation))).status).toBe('success');
});

test("does not pass on: a delegate's delegate may do nothing", async () => {
  await registry.mine(author, 'delegate', [other]);
  await registry.mine(other, 'delegate', [platform]);
  const attestation = draft(platform, { digest: hash(53), authority: author });
  const { timestamp } = await commit(registry, attestation);
  await registry.mineAt(timestamp + 60n);
  const error = await registry.error(platform, 'reveal', revealArguments(attestation));
  expect(error).toMatchObject({ errorName: 'SenderUnauthorized' });
});
