import { zeroHash } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attest, draft, hash } from './attest.ts';
import { author, other, platform, type RegistryFixture, startRegistry, stranger } from './registry.ts';

let registry: RegistryFixture;
let firstIndex: bigint;
let laterIndex: bigint;
beforeAll(async () => {
  registry = await startRegistry();
  await registry.mine(author, 'delegate', [platform]);
  await attest(registry, draft(author));
  await attest(registry, draft(other));
  firstIndex = await registry.view.cidAndAddressToAttestationIndices([hash(1), author]);
  laterIndex = await registry.view.cidAndAddressToAttestationIndices([hash(1), other]);
});
afterAll(() => registry.stop());

const childOf = async (index: bigint) => (await registry.view.attestations([index]))[6];

test('emits ChildSet and shows the child', async () => {
  const { events } = await registry.mine(author, 'setChildIpfsHash', [firstIndex, hash(60)]);
  const args = { attestationId: firstIndex, childIpfsHash: hash(60) };
  expect(events).toEqual([{ eventName: 'ChildSet', args }]);
  expect(await childOf(firstIndex)).toBe(hash(60));
});

test('replaces the child when it is set again', async () => {
  await registry.mine(author, 'setChildIpfsHash', [firstIndex, hash(61)]);
  await registry.mine(author, 'setChildIpfsHash', [firstIndex, hash(62)]);
  expect(await childOf(firstIndex)).toBe(hash(62));
});

test('names no child when it is set to zero', async () => {
  await registry.mine(author, 'setChildIpfsHash', [firstIndex, hash(63)]);
  await registry.mine(author, 'setChildIpfsHash', [firstIndex, zeroHash]);
  expect(await childOf(firstIndex)).toBe(zeroHash);
});

test('lets the delegate set it', async () => {
  await registry.mine(platform, 'setChildIpfsHash', [firstIndex, hash(64)]);
  expect(await childOf(firstIndex)).toBe(hash(64));
});

test('touches no other attestation of the same content', async () => {
  const before = await childOf(firstIndex);
  await registry.mine(other, 'setChildIpfsHash', [laterIndex, hash(65)]);
  expect([await childOf(firstIndex), await childOf(laterIndex)]).toEqual([before, hash(65)]);
});

test.each([
  { sender: stranger, name: 'a stranger' },
  { sender: other, name: 'another authority of the same content' },
])('refuses $name', async ({ sender }) => {
  const error = await registry.error(sender, 'setChildIpfsHash', [firstIndex, hash(66)]);
  expect(error).toEqual({ errorName: 'SenderUnauthorized', args: [sender, author] });
});

test.each([0n, 99n])('refuses index %s, which no attestation has', async (index) => {
  const error = await registry.error(author, 'setChildIpfsHash', [index, hash(67)]);
  expect(error).toEqual({ errorName: 'AttestationUnknown', args: [index] });
});

test('still sets the child of a revoked attestation', async () => {
  await registry.mine(other, 'revokeAttestation', [laterIndex]);
  await registry.mine(other, 'setChildIpfsHash', [laterIndex, hash(68)]);
  expect(await childOf(laterIndex)).toBe(hash(68));
});
