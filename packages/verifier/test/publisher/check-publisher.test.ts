import { expect, test } from 'vitest';
import { fundedAccount } from '../../../../contracts/test/chain/chain.ts';
import { checkPublisher, unreadPublisher } from '../../src/verifier.ts';
import { referenceTo } from '../quote/quotable.ts';
import { fileOf, secondsOf, signedEntry, since } from './entries.ts';

const domain = 'example.org';
const reference = referenceTo('A text.\n');
const authority = fundedAccount(1).address;
/** The verdict on an attestation by the authority, this many seconds after the entries begin. */
const attested = (secondsAfter = 60) => {
  const facts = { digest: '0x', quoteRoot: '0x', revokedAt: 0, revealBlock: undefined } as const;
  const attestedAt = secondsOf(since) + secondsAfter;
  return { reference, attestation: { ...facts, authorityAddress: authority, attestedAt } };
};

test('a domain vouches for an authority if each names the other', async () => {
  const file = fileOf(await signedEntry(domain, 2), await signedEntry(domain, 1));
  expect(await checkPublisher(attested(), 'EXAMPLE.org', new TextEncoder().encode(file))).toEqual({
    ...{ domain, unicodeDomain: undefined, notices: [], outcome: 'vouches' },
    reason: `example.org and ${authority} name each other on chain 8453 from ${since}.`,
  });
});

test.each([
  ['before', -1, 'doesNotVouch'],
  ['in the first second of', 0, 'vouches'],
  ['in the last second of', 3600, 'vouches'],
  ['after', 3601, 'doesNotVouch'],
])('for an attestation %s the period, at second %i, the outcome is %s', async (_, seconds, outcome) => {
  const file = fileOf(await signedEntry(domain, 1, { until: '2026-11-22T01:00:00Z' }));
  const finding = await checkPublisher(attested(seconds), domain, file);
  expect(finding.outcome).toBe(outcome);
  if (outcome !== 'vouches') expect(finding.reason).toContain('not at the time of the attestation');
});

test('an old entry still applies to old attestations', async () => {
  const until = '2026-11-22T01:00:00Z';
  const now = await signedEntry(domain, 1, { chainIds: [1, 8453], since: until });
  const file = fileOf(now, await signedEntry(domain, 1, { until }));
  for (const seconds of [60, 7200])
    expect((await checkPublisher(attested(seconds), domain, file)).outcome).toBe('vouches');
});

test.each([
  ['an authority that is not named', () => signedEntry(domain, 2), 'does not name this authority'],
  ['an authority on another chain', () => signedEntry(domain, 1, { chainIds: [1] }), 'but not on chain 8453'],
])('a domain does not vouch for %s', async (_, entry, why) => {
  const { outcome, reason } = await checkPublisher(attested(), domain, fileOf(await entry()));
  expect(outcome).toBe('doesNotVouch');
  expect(reason).toMatch(new RegExp(`^example\\.org does not vouch for ${authority}: .*${why}`));
});

test('a domain does not vouch without a valid file', async () => {
  expect((await checkPublisher(attested(), domain, undefined)).reason).toContain('no authorities file');
  const { outcome, reason } = await checkPublisher(attested(), domain, '<!doctype html>');
  expect(outcome).toBe('doesNotVouch');
  expect(reason).toContain('is invalid: the file is not JSON');
});

test('an entry signed for another domain does not vouch', async () => {
  const file = fileOf(await signedEntry('example.com', 1));
  expect((await checkPublisher(attested(), domain, file)).outcome).not.toBe('vouches');
});

test('an entry signed by another key does not vouch, and does not hide a valid entry', async () => {
  const forged = { ...(await signedEntry(domain, 2)), address: authority };
  expect((await checkPublisher(attested(), domain, fileOf(forged))).outcome).not.toBe('vouches');
  const file = fileOf(forged, await signedEntry(domain, 1));
  expect((await checkPublisher(attested(), domain, file)).outcome).toBe('vouches');
});

test('the outcome is unknown without an attestation', async () => {
  const file = fileOf(await signedEntry(domain, 1));
  const finding = await checkPublisher({ reference, attestation: undefined }, domain, file);
  expect(finding.outcome).toBe('unknown');
});

test('a look-alike domain gets a notice for every outcome', async () => {
  const name = 'ex\u0430mple.org';
  const vouching = await checkPublisher(attested(), name, fileOf(await signedEntry(name, 1)));
  expect(vouching.outcome).toBe('vouches');
  expect(vouching.notices.join()).toContain('several scripts');
  expect(unreadPublisher(name, 'could not be reached')).toMatchObject({
    ...{ outcome: 'unknown', notices: vouching.notices },
    reason: expect.stringContaining('its authorities file could not be reached.'),
  });
});
