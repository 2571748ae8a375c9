import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fundedAccount } from '../../../../contracts/test/chain/chain.ts';
import { fileOf, signedEntry } from '../../../verifier/test/publisher/entries.ts';
import { directoryWith, expectError, runWithoutService, serveDomain } from '../run.ts';

const domain = (argv: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
  runWithoutService(['domain', ...argv], { variables });
const [key, former] = [fundedAccount(1), fundedAccount(2)];
const since = '2026-11-22T00:00:00Z';
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const statement = ['example.org', '--authority', key.address, '--chain', '8453', '--since', '2026-11-22'];

const messageIn = (out: string) => /^cast wallet sign --account NAME '([^']+)'$/m.exec(out)?.[1] ?? '';

test('`domain` prints the text to sign, and writes an entry with its signature', async () => {
  const path = join(directoryWith({})('.'), 'attestation-authorities.json');
  const printed = await domain(['Example.ORG', ...statement.slice(1), '--chain', '1', '--chain', '8453']);
  expect(printed).toMatchObject({ exitCode: 0, error: '' });
  const message = messageIn(printed.out);
  expect(message).toContain(
    `Domain: example.org\nAuthority: ${key.address}\nChain IDs: 1, 8453\nSince: ${since}`,
  );
  expect(printed.out.match(/I attest texts/g)).toHaveLength(2);
  expect(printed.out).toMatch(
    /^imprimatur domain example\.org --authority 0x\w+ \\\n {2}--chain 1 --chain 8453 --since/m,
  );
  const signature = await key.signMessage({ message });
  const add = [...statement, '--chain', '1', '--signature', signature, '--file', path];
  const { exitCode, out, error } = await domain(add);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
  expect(out).toContain('https://example.org/.well-known/attestation-authorities.json');
  const entry = { address: key.address, chainIds: [1, 8453], since, until: null, signature };
  expect(read(path)).toEqual({ version: 1, authorities: [entry] });
});

test('`domain` keeps old entries with unknown fields, and replaces an equal entry', async () => {
  const old = { ...(await signedEntry('example.org', 2)), note: 'the old key' };
  const path = directoryWith({ 'a.json': fileOf(old) })('a.json');
  const { signature } = await signedEntry('example.org', 1);
  const add = [...statement, '--signature', signature, '--file', path];
  await domain(add);
  await domain(add);
  expect(read(path).authorities).toEqual([
    old,
    expect.objectContaining({ address: key.address, until: null }),
  ]);
  await domain([...add, '--until', '2027-01-01']);
  expect(read(path).authorities).toHaveLength(2);
  expect(read(path).authorities[1].until).toBe('2027-01-01T00:00:00Z');
});

test('`domain --until` ends only the open entries of the authority', async () => {
  const closed = await signedEntry('example.org', 2, { until: '2026-12-01T00:00:00Z' });
  const [open, other] = [await signedEntry('example.org', 2), await signedEntry('example.org', 1)];
  const path = directoryWith({ 'a.json': fileOf(closed, open, other) })('a.json');
  const end = ['example.org', '--authority', former.address, '--file', path, '--until'];
  expect((await domain([...end, '2026-01-01'])).error).toContain('before the start');
  expect((await domain([...end, '2027-02-01'])).exitCode).toBe(0);
  const until = '2027-02-01T00:00:00Z';
  expect(read(path).authorities).toEqual([closed, { ...open, until }, other]);
  expect((await domain([...end, '2027-03-01'])).error).toContain('without an end');
});

test('a recovery byte of 0 or 1 is written as 27 or 28', async () => {
  const path = directoryWith({ 'a.json': fileOf() })('a.json');
  const { signature } = await signedEntry('example.org', 1);
  const short = `${signature.slice(0, -2)}${signature.endsWith('1b') ? '00' : '01'}`;
  expect((await domain([...statement, '--signature', short, '--file', path])).exitCode).toBe(0);
  expect(read(path).authorities[0].signature).toBe(signature);
});

test('an invalid signature is not written', async () => {
  const path = directoryWith({ 'a.json': fileOf() })('a.json');
  const { signature } = await signedEntry('example.com', 1);
  // The provider is unreachable, so no contract can confirm the signature.
  const signed = ['--signature', signature, '--rpc', 'http://127.0.0.1:1', '--file', path];
  await expectError(domain([...statement, ...signed]), 1, 'nothing was written');
  expect(read(path).authorities).toEqual([]);
});

test.each([
  [['example', '--authority', key.address], 'must be a name such as example.org'],
  [['example.org', '--chain', '1'], 'missing --authority'],
  [['example.org', '--authority', key.address], 'missing --chain'],
  [['example.org', '--authority', '0x12', '--chain', '1'], 'must be an address'],
  [['example.org', '--authority', key.address, '--chain', '1', '--since', '2026-02-30'], 'must be a date'],
  [['example.org', '--authority', key.address, '--chain', '1', '--signature', '0x12'], 'needs --since'],
  [[...statement, '--signature', 'abc'], '--signature must be 0x and pairs'],
])('`domain` exits with 2 for %j', async (argv, words) => {
  await expectError(domain(argv), 2, words);
});

test('an invalid file is not overwritten', async () => {
  const path = directoryWith({ 'a.json': '{"version":1,"authorities":[{}]}' })('a.json');
  const { signature } = await signedEntry('example.org', 1);
  await expectError(
    domain([...statement, '--signature', signature, '--file', path]),
    2,
    'is not a valid authorities file: authorities[0].',
  );
  expect(read(path).authorities).toEqual([{}]);
});

async function served(file: string | undefined) {
  const { variables } = await serveDomain(file);
  return domain(['example.org', '--rpc', 'http://127.0.0.1:1'], variables);
}

test('`domain` shows the served entries, and that they were read from another origin', async () => {
  const { exitCode, out, error } = await served(fileOf(await signedEntry('example.org', 1)));
  expect(exitCode).toBe(0);
  expect(out).toMatch(new RegExp(`^${key.address} +8453 +${since} +open +valid$`, 'm'));
  expect(error).toMatch(/IMPRIMATUR_DOMAIN_ORIGIN is set: .* was read from .*, not from example\.org/);
});

test('`domain` exits with 1 if the served file is not valid', async () => {
  const foreign = await served(fileOf(await signedEntry('example.com', 1)));
  expect(foreign).toMatchObject({ exitCode: 1, out: expect.stringContaining('unknown on 8453') });
  expect((await served(undefined)).error).toContain('there is no file at https://example.org/');
  expect((await served('<html>')).error).toContain('the authorities file is invalid: the file is not JSON');
  expect((await served(fileOf())).exitCode).toBe(1);
});

test.each(['https://127.0.0.1', 'http://localhost.example.org', 'nonsense'])(
  '%s is refused as a local origin',
  async (origin) => {
    await expectError(
      domain(['example.org'], { IMPRIMATUR_DOMAIN_ORIGIN: origin }),
      2,
      'must be an http origin on localhost',
    );
  },
);
