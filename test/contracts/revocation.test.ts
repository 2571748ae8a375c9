import { afterAll, beforeAll, expect, test } from 'vitest';
import { attest, commit, draft, hash, revealArguments } from './attest.ts';
import { author, other, platform, type RegistryFixture, startRegistry, stranger } from './registry.ts';

const windowSeconds = 7n * 24n * 60n * 60n;

let registry: RegistryFixture;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

/** Attests a new content and gives where and when. */
async function attested(n: number, sender = author) {
  const { timestamp } = await attest(registry, draft(sender, { digest: hash(n) }));
  return { index: await registry.view.cidAndAddressToAttestationIndices([hash(n), sender]), timestamp };
}

test('emits AttestationRevoked and shows when, all else unchanged', async () => {
  const { index } = await attested(70);
  const before = await registry.view.attestations([index]);
  const { events, timestamp } = await registry.mine(author, 'revokeAttestation', [index]);
  expect(events).toEqual([{ eventName: 'AttestationRevoked', args: { attestationId: index } }]);
  expect(await registry.view.attestations([index])).toEqual(before.with(5, timestamp));
});

test('revokes a later attestation of a content and leaves the first standing', async () => {
  const { index: first } = await attested(71);
  const { index: later } = await attested(71, other);
  const { timestamp } = await registry.mine(other, 'revokeAttestation', [later]);
  expect((await registry.view.attestations([later])).slice(3, 6)).toEqual([
    other,
    expect.any(BigInt),
    timestamp,
  ]);
  expect((await registry.view.attestations([first]))[5]).toBe(0n);
});

test('lets the delegate revoke', async () => {
  const { index } = await attested(72, other);
  await registry.mine(other, 'delegate', [platform]);
  expect((await registry.mine(platform, 'revokeAttestation', [index])).status).toBe('success');
});

test('refuses a stranger', async () => {
  const { index } = await attested(73);
  const error = await registry.error(stranger, 'revokeAttestation', [index]);
  expect(error).toEqual({ errorName: 'SenderUnauthorized', args: [stranger, author] });
});

test.each([0n, 9_999n])('refuses index %s, which no attestation has', async (index) => {
  const error = await registry.error(author, 'revokeAttestation', [index]);
  expect(error).toEqual({ errorName: 'AttestationUnknown', args: [index] });
});

test('refuses a second revocation', async () => {
  const { index } = await attested(74);
  await registry.mine(author, 'revokeAttestation', [index]);
  const error = await registry.error(author, 'revokeAttestation', [index]);
  expect(error).toEqual({ errorName: 'AttestationAlreadyRevoked', args: [index] });
});

test('refuses to attest a revoked content again', async () => {
  const { index } = await attested(75);
  await registry.mine(author, 'revokeAttestation', [index]);
  const again = draft(author, { digest: hash(75), salt: hash(76) });
  const { timestamp } = await commit(registry, again);
  await registry.mineAt(timestamp + 60n);
  const error = await registry.error(author, 'reveal', revealArguments(again));
  expect(error).toEqual({ errorName: 'ContentAlreadyAttested', args: [index] });
  expect(await registry.view.cidAndAddressToAttestationIndices([hash(75), author])).toBe(index);
});

test('revokes 7 days after the attestation', async () => {
  const { index, timestamp } = await attested(77);
  await registry.setNextTimestamp(timestamp + windowSeconds);
  expect((await registry.mine(author, 'revokeAttestation', [index])).status).toBe('success');
});

test('refuses from one second after those 7 days on, for first and later attestations alike', async () => {
  const first = await attested(78);
  const later = await attested(78, other);
  await registry.mineAt(later.timestamp + windowSeconds + 1n);
  const closed = (at: bigint) => ({ errorName: 'RevocationPeriodOver', args: [at + windowSeconds] });
  expect(await registry.error(author, 'revokeAttestation', [first.index])).toEqual(closed(first.timestamp));
  expect(await registry.error(other, 'revokeAttestation', [later.index])).toEqual(closed(later.timestamp));
});
