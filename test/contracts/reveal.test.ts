import { zeroAddress, zeroHash } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attest, commit, type Draft, draft, hash, revealArguments, saltedHash } from './attest.ts';
import { author, other, platform, type RegistryFixture, startRegistry, stranger } from './registry.ts';

let registry: RegistryFixture;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

/** Commits, and mines a block in which the reveal is old enough. */
async function committed(attestation: Draft): Promise<void> {
  const { timestamp } = await commit(registry, attestation);
  await registry.mineAt(timestamp + 60n);
}

const reveal = (attestation: Draft) =>
  registry.mine(attestation.sender, 'reveal', revealArguments(attestation));
const revealError = (attestation: Draft) =>
  registry.error(attestation.sender, 'reveal', revealArguments(attestation));

test('emits Attested with the authority and the digest', async () => {
  const attestation = draft(author, { digest: hash(20), parent: hash(21) });
  const { events } = await attest(registry, attestation);
  const args = { authority: author, ipfsHash: hash(20) };
  expect(events).toEqual([{ eventName: 'Attested', args }]);
});

test.each([
  { ageSeconds: 1, status: 'reverted' },
  { ageSeconds: 59, status: 'reverted' },
  { ageSeconds: 60, status: 'success' },
  { ageSeconds: 61, status: 'success' },
])('ends as $status when the commit is $ageSeconds s old', async ({ ageSeconds, status }) => {
  const attestation = draft(author, { digest: hash(100 + ageSeconds) });
  const { timestamp } = await commit(registry, attestation);
  await registry.setNextTimestamp(timestamp + BigInt(ageSeconds));
  expect((await reveal(attestation)).status).toBe(status);
});

test('says from when on the reveal is possible', async () => {
  const attestation = draft(author, { digest: hash(22) });
  const { timestamp } = await commit(registry, attestation);
  await registry.mineAt(timestamp + 59n);
  expect(await revealError(attestation)).toEqual({ errorName: 'RevealTooEarly', args: [timestamp + 60n] });
});

test('refuses a reveal without a commit, which would read as infinitely old', async () => {
  const attestation = draft(author, { digest: hash(23) });
  const args = [author, saltedHash(attestation)];
  expect(await revealError(attestation)).toEqual({ errorName: 'CommitMissing', args });
});

test('refuses a reveal whose commit is used up', async () => {
  const attestation = draft(author, { digest: hash(24) });
  await attest(registry, attestation);
  expect(await revealError(attestation)).toMatchObject({ errorName: 'CommitMissing' });
});

test('refuses a reveal that another sender has committed to', async () => {
  const attestation = draft(author, { digest: hash(25) });
  const { timestamp } = await registry.mine(other, 'commit', [saltedHash(attestation)]);
  await registry.mineAt(timestamp + 60n);
  expect(await revealError(attestation)).toMatchObject({ errorName: 'CommitMissing' });
});

test('refuses a copied commit and reveal, since the hash names its sender', async () => {
  const attestation = draft(author, { digest: hash(26) });
  const { timestamp } = await registry.mine(other, 'commit', [saltedHash(attestation)]);
  await registry.mineAt(timestamp + 60n);
  const [, ...rest] = revealArguments({ ...attestation, authority: other });
  const error = await registry.error(other, 'reveal', [saltedHash(attestation), ...rest]);
  const expected = saltedHash({ ...attestation, sender: other });
  expect(error).toEqual({ errorName: 'SaltedHashMismatched', args: [saltedHash(attestation), expected] });
});

test('is not held up by a copy of its commit', async () => {
  const attestation = draft(author, { digest: hash(27) });
  await registry.mine(other, 'commit', [saltedHash(attestation)]);
  expect((await attest(registry, attestation)).status).toBe('success');
});

test.each(['digest', 'salt'] as const)('refuses another %s than committed to', async (field) => {
  const attestation = draft(author, { digest: hash(28), salt: hash(field.length) });
  await committed(attestation);
  const altered = { ...attestation, [field]: hash(29) };
  const [, ...rest] = revealArguments(altered);
  const error = await registry.error(author, 'reveal', [saltedHash(attestation), ...rest]);
  expect(error).toEqual({
    errorName: 'SaltedHashMismatched',
    args: [saltedHash(attestation), saltedHash(altered)],
  });
});

test('refuses a sender who is neither the authority nor its delegate', async () => {
  const attestation = draft(stranger, { digest: hash(30), authority: author });
  await committed(attestation);
  expect(await revealError(attestation)).toEqual({
    errorName: 'SenderUnauthorized',
    args: [stranger, author],
  });
});

test('refuses the zero address as authority, which has no delegate', async () => {
  const attestation = draft(stranger, { digest: hash(31), authority: zeroAddress });
  await committed(attestation);
  expect(await revealError(attestation)).toMatchObject({ errorName: 'SenderUnauthorized' });
});

test('attests under the authority when its delegate reveals', async () => {
  await registry.mine(other, 'delegate', [platform]);
  const attestation = draft(platform, { digest: hash(32), authority: other });
  expect((await attest(registry, attestation)).status).toBe('success');
  expect(await registry.view.cidAndAddressToAttestationIndices([hash(32), platform])).toBe(0n);
});

test('refuses the first authority of a content a second attestation', async () => {
  const attestation = draft(author, { digest: hash(33) });
  await attest(registry, attestation);
  const again = { ...attestation, salt: hash(34), quoteRoot: hash(35) };
  await committed(again);
  const index = await registry.view.cidAndAddressToAttestationIndices([hash(33), author]);
  expect(await revealError(again)).toEqual({ errorName: 'ContentAlreadyAttested', args: [index] });
});

test('refuses a later authority of a content a second attestation', async () => {
  await attest(registry, draft(author, { digest: hash(36) }));
  await attest(registry, draft(other, { digest: hash(36) }));
  const again = draft(other, { digest: hash(36), salt: hash(37) });
  await committed(again);
  const index = await registry.view.cidAndAddressToAttestationIndices([hash(36), other]);
  expect(await revealError(again)).toEqual({ errorName: 'ContentAlreadyAttested', args: [index] });
});

test('leaves the commit and the count as they were when it reverts', async () => {
  const first = draft(author, { digest: hash(38) });
  await attest(registry, first);
  const again = draft(author, { digest: hash(38), salt: hash(39) });
  await committed(again);
  expect((await reveal(again)).status).toBe('reverted');
  expect(await registry.error(author, 'commit', [saltedHash(again)])).toMatchObject({
    errorName: 'CommitRepeated',
  });
  const index = await registry.view.cidAndAddressToAttestationIndices([hash(38), author]);
  await attest(registry, draft(author, { digest: hash(40) }));
  expect(await registry.view.cidAndAddressToAttestationIndices([hash(40), author])).toBe(index + 1n);
});

test('treats zero digests, roots and salts as any other', async () => {
  const attestation = draft(author, { digest: zeroHash, quoteRoot: zeroHash, salt: zeroHash });
  const { timestamp } = await attest(registry, attestation);
  const index = await registry.view.cidAndAddressToAttestationIndices([zeroHash, author]);
  const record = [zeroHash, zeroHash, zeroHash, author, timestamp, 0n, zeroHash];
  expect(await registry.view.attestations([index])).toEqual(record);
});
