import { encodeErrorResult, zeroAddress, zeroHash } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attestationRegistryAbi as abi } from '../../artifacts/attestation-registry-abi.ts';
import { attest, commit, draft, hash, revealArguments, saltedHash } from './attest.ts';
import { batchArguments, batchHash } from './batch.ts';
import { author, other, platform, type RegistryFixture, startRegistry, stranger } from './registry.ts';

// The forge tests in contracts/test state what the registry does. These state what viem reads of it with the committed
// ABI: the events, the values of the views, and the errors with their arguments.

const revocationPeriodSeconds = 604_800n;

let registry: RegistryFixture;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

/** Attests a new content and gives where and when. */
async function attested(n: number) {
  const { timestamp } = await attest(registry, draft(author, { digest: hash(n) }));
  return { index: await registry.view.cidAndAddressToAttestationIndices([hash(n), author]), timestamp };
}

/** The draft of a content, committed to and old enough to reveal. */
async function committed(n: number, authority = author) {
  const attestation = draft(author, { digest: hash(n), salt: hash(99), authority });
  const { timestamp } = await commit(registry, attestation);
  await registry.mineAt(timestamp + 60n);
  return attestation;
}

test('commit emits Committed with the hash', async () => {
  const { events } = await registry.mine(author, 'commit', [hash(10)]);
  expect(events).toEqual([{ eventName: 'Committed', args: { saltedHash: hash(10) } }]);
});

test('reveal emits Attested with the authority and the digest', async () => {
  const { events } = await attest(registry, draft(author, { digest: hash(11), parent: hash(12) }));
  expect(events).toEqual([{ eventName: 'Attested', args: { authority: author, ipfsHash: hash(11) } }]);
});

test('revealBatch emits Attested for each member, and MemberSkipped with position and error for one it skips', async () => {
  const member = { authority: author, salt: hash(99), digest: hash(40), quoteRoot: hash(2) };
  const members = [member, { ...member, authority: stranger }, { ...member, digest: hash(41) }];
  const { timestamp } = await registry.mine(author, 'commit', [batchHash(author, members)]);
  await registry.setNextTimestamp(timestamp + 60n);
  const { events } = await registry.mine(author, 'revealBatch', batchArguments(members));
  const args = [author, stranger] as const;
  const revertData = encodeErrorResult({ abi, errorName: 'SenderUnauthorized', args });
  expect(events).toEqual([
    { eventName: 'Attested', args: { authority: author, ipfsHash: hash(40) } },
    { eventName: 'MemberSkipped', args: { position: 1n, revertData } },
    { eventName: 'Attested', args: { authority: author, ipfsHash: hash(41) } },
  ]);
});

test('setChildIpfsHash emits ChildSet with the index and the child', async () => {
  const { index } = await attested(13);
  const { events } = await registry.mine(author, 'setChildIpfsHash', [index, hash(14)]);
  const args = { attestationId: index, childIpfsHash: hash(14) };
  expect(events).toEqual([{ eventName: 'ChildSet', args }]);
});

test('revokeAttestation emits AttestationRevoked with the index', async () => {
  const { index } = await attested(15);
  const { events } = await registry.mine(author, 'revokeAttestation', [index]);
  expect(events).toEqual([{ eventName: 'AttestationRevoked', args: { attestationId: index } }]);
});

test('delegate emits DelegateSet with the delegate, and revokeDelegation with zero, each time', async () => {
  const set = (delegateAddress: string) => [
    { eventName: 'DelegateSet', args: { authority: author, delegateAddress } },
  ];
  expect((await registry.mine(author, 'delegate', [platform])).events).toEqual(set(platform));
  expect((await registry.mine(author, 'revokeDelegation', [])).events).toEqual(set(zeroAddress));
  expect((await registry.mine(author, 'revokeDelegation', [])).events).toEqual(set(zeroAddress));
});

test('an attestation reads as its seven values, in this order', async () => {
  const { timestamp } = await attest(registry, draft(author, { digest: hash(20), parent: hash(21) }));
  const index = await registry.view.cidAndAddressToAttestationIndices([hash(20), author]);
  expect(await registry.view.cidToAttestationIndices([hash(20), 0n])).toBe(index);
  await registry.mine(author, 'setChildIpfsHash', [index, hash(22)]);
  const { timestamp: revokedAt } = await registry.mine(author, 'revokeAttestation', [index]);
  const values = [hash(20), hash(2), hash(21), author, timestamp, revokedAt, hash(22)];
  expect(await registry.view.attestations([index])).toEqual(values);
});

test('a delegation reads as the delegate and since when', async () => {
  const { timestamp } = await registry.mine(author, 'delegate', [platform]);
  expect(await registry.view.delegations([author])).toEqual([platform, timestamp]);
  expect(await registry.view.delegations([other])).toEqual([zeroAddress, 0n]);
});

test('the reveal delay and the revocation period read as seconds', async () => {
  expect(await registry.view.revealDelaySeconds()).toBe(60n);
  expect(await registry.view.revocationPeriodSeconds()).toBe(revocationPeriodSeconds);
});

test('CommitRepeated names the committer and the hash', async () => {
  await registry.mine(author, 'commit', [hash(30)]);
  const error = await registry.error(author, 'commit', [hash(30)]);
  expect(error).toEqual({ errorName: 'CommitRepeated', args: [author, hash(30)] });
});

test('says from when on the reveal is possible', async () => {
  const attestation = draft(author, { digest: hash(31) });
  const { timestamp } = await commit(registry, attestation);
  await registry.mineAt(timestamp + 59n);
  const error = await registry.error(author, 'reveal', revealArguments(attestation));
  expect(error).toEqual({ errorName: 'RevealTooEarly', args: [timestamp + 60n] });
});

test('CommitMissing names the sender and the hash', async () => {
  const attestation = draft(author, { digest: hash(32) });
  const error = await registry.error(author, 'reveal', revealArguments(attestation));
  expect(error).toEqual({ errorName: 'CommitMissing', args: [author, saltedHash(attestation)] });
});

test('SaltedHashMismatched names the hash given and the one expected', async () => {
  const attestation = await committed(33);
  const altered = { ...attestation, salt: hash(34) };
  const [, ...rest] = revealArguments(altered);
  const error = await registry.error(author, 'reveal', [saltedHash(attestation), ...rest]);
  const args = [saltedHash(attestation), saltedHash(altered)];
  expect(error).toEqual({ errorName: 'SaltedHashMismatched', args });
});

test('SenderUnauthorized names the sender and the authority', async () => {
  const error = await registry.error(author, 'reveal', revealArguments(await committed(35, stranger)));
  expect(error).toEqual({ errorName: 'SenderUnauthorized', args: [author, stranger] });
});

test('ContentAlreadyAttested names the index of the attestation', async () => {
  const { index } = await attested(36);
  const error = await registry.error(author, 'reveal', revealArguments(await committed(36)));
  expect(error).toEqual({ errorName: 'ContentAlreadyAttested', args: [index] });
});

test('the domain of its signatures reads as the fields of ERC-5267', async () => {
  const { client } = registry.chain;
  expect(await client.getEip712Domain({ address: registry.address })).toEqual({
    domain: {
      ...{ name: 'AttestationRegistry', version: '1', chainId: client.chain.id, salt: zeroHash },
      verifyingContract: registry.address,
    },
    fields: '0x0f',
    extensions: [],
  });
});

test('a batch may have 383 members', async () => {
  expect(await registry.view.batchMaxMemberCount()).toBe(383n);
});

test('BatchTooLong says how long it is', async () => {
  const leaves = Array.from({ length: 384 }, () => zeroHash);
  const error = await registry.error(author, 'revealBatch', [[384n], [], leaves]);
  expect(error).toEqual({ errorName: 'BatchTooLong', args: [384n] });
});

test('RunsMismatched and ChildrenMismatched name nothing', async () => {
  const ofRuns = await registry.error(author, 'revealBatch', [[1n], [], []]);
  expect(ofRuns).toEqual({ errorName: 'RunsMismatched', args: undefined });
  const ofChildren = await registry.error(author, 'setChildIpfsHashes', [[1n], []]);
  expect(ofChildren).toEqual({ errorName: 'ChildrenMismatched', args: undefined });
});

test('AttestationUnknown names the index asked for', async () => {
  const shown = await registry.viewError(registry.view.attestations([9_999n]));
  expect(shown).toEqual({ errorName: 'AttestationUnknown', args: [9_999n] });
  const error = await registry.error(author, 'revokeAttestation', [9_999n]);
  expect(error).toEqual({ errorName: 'AttestationUnknown', args: [9_999n] });
});

test('AttestationAlreadyRevoked names the index', async () => {
  const { index } = await attested(37);
  await registry.mine(author, 'revokeAttestation', [index]);
  const error = await registry.error(author, 'revokeAttestation', [index]);
  expect(error).toEqual({ errorName: 'AttestationAlreadyRevoked', args: [index] });
});

test('RevocationPeriodOver says until when the revocation was possible', async () => {
  const { index, timestamp } = await attested(38);
  const closedAt = timestamp + revocationPeriodSeconds;
  await registry.mineAt(closedAt + 1n);
  const error = await registry.error(author, 'revokeAttestation', [index]);
  expect(error).toEqual({ errorName: 'RevocationPeriodOver', args: [closedAt] });
});

test('DelegateZero names nothing', async () => {
  const error = await registry.error(author, 'delegate', [zeroAddress]);
  expect(error).toEqual({ errorName: 'DelegateZero', args: undefined });
});

test('AttestationIndexMissing names the digest and the position', async () => {
  const error = await registry.viewError(registry.view.cidToAttestationIndices([hash(39), 1n]));
  expect(error).toEqual({ errorName: 'AttestationIndexMissing', args: [hash(39), 1n] });
});
