import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { deployContract } from 'imprimatur-contracts/deploy/deploy-contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { author, RegistryFixture, startRegistry, stranger } from '../../../contracts/test/chain/registry.ts';
import { runPython } from '../../verifier-py/test/run-python.ts';
import { type AttestationReference, AttestedText, formatReference, type QuoteLeaf } from '../src/verifier.ts';
import { article, attestArticle, cidOf } from './attested-article.ts';
import { firstRegistryDeployment } from './chain/first-registry-runtime.ts';

const script = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let registry: RegistryFixture;
let claim: AttestationReference;
let directory: string;
let webServer: Server;
beforeAll(async () => {
  registry = await startRegistry();
  ({ reference: claim } = await attestArticle(registry, author, article));
  directory = await mkdtemp(join(tmpdir(), 'verifier-'));
  await writeFile(join(directory, 'article.txt'), article);
  await writeFile(join(directory, 'altered.txt'), `${article}.`);
  const quote = new AttestedText(claim, article).quote('attested 😀 … read');
  await writeFile(join(directory, 'quote.json'), JSON.stringify(quote, undefined, 2));
  const [{ value, proof }] = quote.proof as [QuoteLeaf];
  const forged = [{ value: [value[0], value[1].replace('read', 'said')], proof }];
  const segments = [{ text: 'said', chunk: 0, offset: value[1].indexOf('read') }];
  await writeFile(join(directory, 'forged.json'), JSON.stringify({ ...quote, segments, proof: forged }));
  await writeFile(join(directory, 'latin1.txt'), Buffer.from('caf\xe9', 'latin1'));
  webServer = createServer((_, response) => response.end('<html>a page</html>'));
  await new Promise<void>((resolve) => webServer.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  webServer.close();
  await rm(directory, { recursive: true });
  await registry.stop();
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(args: readonly string[]): Promise<Outcome> {
  return promisify(execFile)(process.execPath, [script, ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Outcome) => ({ code, stdout, stderr }),
  );
}

/** The arguments of the true claim, with some replaced, and left out where `undefined`. */
function args(replaced: Record<string, string | undefined> = {}): string[] {
  const options = {
    rpc: registry.chain.rpcUrl,
    registry: claim.registryAddress,
    chain: String(claim.chainId),
    authority: claim.authorityAddress,
    cid: claim.contentCid,
    index: String(claim.attestationIndex),
    ...replaced,
  };
  return Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
}

const file = (name: string) => join(directory, name);

test('exits 0 and shows each check when the attestation is verified', async () => {
  const { code, stdout, stderr } = await run(args({ file: file('article.txt') }));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.match(/^ok /gm)).toHaveLength(8);
  expect(stdout).toMatch(/^verified: attested \d{4}-\d\d-\d\dT/m);
  expect(stdout).not.toContain(article.trim());
});

test('exits 1 when the file is not what was attested', async () => {
  const { code, stdout } = await run(args({ file: file('altered.txt') }));
  expect(code).toBe(1);
  expect(stdout).toContain('FAILED  the CID is that of the text');
  expect(stdout).toMatch(/^not verified/m);
});

test('prints one JSON object and nothing else with --json', async () => {
  const { code, stdout } = await run([...args({ file: file('article.txt') }), '--json']);
  expect(code).toBe(0);
  const printed: unknown = JSON.parse(stdout);
  expect(printed).toMatchObject({ verified: true, ...claim, outcome: 'verified' });
  expect(stdout).not.toContain(article.trim());
});

test('exits 1 with --json too, and names the failed checks', async () => {
  const { code, stdout } = await run([...args({ authority: stranger }), '--json']);
  expect(code).toBe(1);
  const { verified, checks } = JSON.parse(stdout);
  const failed = checks.filter((check: { passed: boolean }) => !check.passed);
  expect({ verified, failed: failed.map(({ name }: { name: string }) => name) }).toEqual({
    verified: false,
    failed: ['authority', 'index'],
  });
});

test('exits 3 when it was superseded, with the newest correction', async () => {
  const { reference } = await attestArticle(registry, author, 'Soon corrected.');
  const correction = await attestArticle(registry, author, 'The correction.');
  const { digest } = await cidOf('The correction.');
  await registry.mine(author, 'setChildIpfsHash', [BigInt(reference.attestationIndex), digest]);
  const options = ['--rpc', registry.chain.rpcUrl, '--reference', formatReference(reference)];
  const { code, stdout } = await run(options);
  expect(code).toBe(3);
  expect(stdout).toContain(`the newest is ${correction.reference.contentCid}`);
});

test('looks for a correction in the published registries, and in those that are named', async () => {
  const clients = { publicClient: registry.chain.client, walletClient: registry.chain.client };
  const older = async (delay: number) =>
    new RegistryFixture(registry.chain, await deployContract(clients, firstRegistryDeployment(delay)));
  const [published, another] = [await older(60), await older(58)];
  const { reference } = await attestArticle(published, author, 'Corrected elsewhere.');
  const options = ['--rpc', registry.chain.rpcUrl, '--reference', formatReference(reference)];
  const corrected = async (to: RegistryFixture, text: string, more: readonly string[] = []) => {
    const correction = await attestArticle(to, author, text);
    const { digest } = await cidOf(text);
    await published.mine(author, 'setChildIpfsHash', [BigInt(reference.attestationIndex), digest]);
    const { code, stdout } = await run([...options, ...more]);
    expect(code).toBe(3);
    return stdout.includes(`the newest is ${correction.reference.contentCid}`);
  };
  expect(await corrected(registry, 'In the newest registry.')).toBe(true);
  expect(await corrected(another, 'In another registry.')).toBe(false);
  expect(await corrected(another, 'In another, named.', ['--other-registry', another.address])).toBe(true);
  const named = await run([...options, '--other-registry', stranger]);
  expect(named.stdout).toContain(`At ${stranger} is no registry that is known here`);
  const { code, stderr } = await run([...options, '--other-registry', '0x1']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--other-registry must be an address')]);
});

test('says of an altered text that what was attested was withdrawn since', async () => {
  const { reference } = await attestArticle(registry, author, 'Soon withdrawn.');
  await registry.mine(author, 'revokeAttestation', [BigInt(reference.attestationIndex)]);
  const options = ['--rpc', registry.chain.rpcUrl, '--reference', formatReference(reference)];
  const { code, stdout } = await run([...options, '--file', file('altered.txt')]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^altered: The text is not the attested one; it was withdrawn since$/m);
  const python = await runPython(['-m', 'imprimatur_verifier', ...options, '--file', file('altered.txt')]);
  expect(python.stdout).toMatch(/^outcome: "altered"\n[\s\S]*^revokedAt: "/m);
});

test('exits 2 when the contract is no known registry', async () => {
  const forged = '0x00000000000000000000000000000000000c0de5';
  await registry.chain.client.setCode({ address: forged, bytecode: '0x00' });
  const { code, stdout } = await run(args({ registry: forged }));
  expect(code).toBe(2);
  expect(stdout).toContain('unknown: The contract at the address is no registry');
});

const ofQuote = (path: string) => ['--rpc', registry.chain.rpcUrl, '--quote', path];

test('exits 0 for a quote proof, and shows the passage and each check', async () => {
  const { code, stdout, stderr } = await run(ofQuote(file('quote.json')));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^quoted {2}"attested 😀"\nquoted {2}"read"\n/);
  expect(stdout.match(/^ok /gm)).toHaveLength(7);
  expect(stdout).toContain('ok      the proof leads to the quote root of attestation 1');
  expect(stdout).toContain('That the passage is in the text with the CID only that text shows.');
});

test('prints the quoted pieces with --json', async () => {
  const { code, stdout } = await run([...ofQuote(file('quote.json')), '--json']);
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { verified: true, outcome: 'verified', ...claim, quoted: ['attested 😀', 'read'] },
  ]);
});

test('exits 1 for a forged quote', async () => {
  const { code, stdout } = await run(ofQuote(file('forged.json')));
  expect(code).toBe(1);
  expect(stdout).toMatch(/^not verified \(read at block \d+\)\naltered: The proof does not lead/m);
});

test('exits 1 for what is no quote proof, in words or as JSON', async () => {
  expect(await run(ofQuote(file('article.txt')))).toEqual({
    code: 1,
    stdout: 'not verified: The proof is not JSON.\n',
    stderr: '',
  });
  const { code, stdout } = await run([...ofQuote(file('article.txt')), '--json']);
  expect([code, JSON.parse(stdout)]).toEqual([1, { verified: false, reason: 'The proof is not JSON.' }]);
});

test.each([
  [['--file', 'article.txt'], '--quote and --file exclude each other'],
  [['--index', '1'], '--quote and --index exclude each other'],
])('exits 2 for a quote with %j', async (more, message) => {
  const { code, stderr } = await run([...ofQuote(file('quote.json')), ...more]);
  expect([code, stderr]).toEqual([2, `error: ${message}\n`]);
});

test('exits 2 for a quote proof that cannot be read', async () => {
  const { code, stderr } = await run(ofQuote(file('nowhere.json')));
  expect([code, stderr]).toEqual([2, `error: --quote ${file('nowhere.json')}: there is no such file\n`]);
});

test('takes the reference in one option', async () => {
  const { code, stdout } = await run([
    ...['--rpc', registry.chain.rpcUrl, '--reference', formatReference(claim)],
    ...['--file', file('article.txt')],
  ]);
  expect({ code, checks: stdout.match(/^ok /gm)?.length }).toEqual({ code: 0, checks: 8 });
});

test('exits 2 with what is wrong with the reference', async () => {
  const reference = formatReference(claim).replace('eip155', 'bip122');
  const { code, stderr } = await run(['--rpc', registry.chain.rpcUrl, '--reference', reference]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: the reference must begin with "eip155:"[^\n]+\n$/);
});

test('asks several providers, and exits 2 when one of two does not answer', async () => {
  const { code, stderr } = await run([...args(), '--rpc', 'http://127.0.0.1:1/secret-key']);
  expect(code).toBe(2);
  expect(stderr).toContain('127.0.0.1:1 does not answer');
  expect(stderr).not.toContain('secret-key');
});

test('exits 2 when the node is of another chain', async () => {
  const { code, stdout, stderr } = await run(args({ chain: '1' }));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: [^\n]+serves the chain 31337, not 1\.\n$/);
});

test('lists the options with --help, whatever else is missing', async () => {
  const { code, stdout } = await run(['--help']);
  expect(code).toBe(0);
  for (const option of [
    'rpc',
    'reference',
    'registry',
    'chain',
    'authority',
    'cid',
    'index',
    'file',
    'quote',
    'json',
  ]) {
    expect(stdout).toContain(`--${option}`);
  }
});

const lowerCase = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

test.each([
  [{ registry: undefined }, '--registry is missing'],
  [{ rpc: 'localhost:8545' }, '--rpc must be an http or https URL'],
  [{ chain: '0' }, '--chain must be a whole number from 1 on'],
  [{ chain: '0x1' }, '--chain must be a whole number from 1 on'],
  [{ index: '1.5' }, '--index must be a whole number from 1 on'],
  [{ index: '9007199254740993' }, '--index must be a whole number from 1 on'],
  [{ authority: '0x1234' }, '--authority must be an address'],
  [{ authority: `0x70997970C51812DC${lowerCase.slice(18)}` }, '--authority has a wrong checksum'],
  [{ cid: 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o' }, '--cid must be a CIDv1'],
  [{ nonsense: 'x' }, "Unknown option '--nonsense'"],
  [{ file: '/nowhere/article.txt' }, 'there is no such file'],
  [{ file: '/' }, 'it is a directory'],
])('exits 2 with one plain line for %o', async (replaced, message) => {
  const { code, stdout, stderr } = await run(args(replaced));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
  expect(stderr).toContain(message);
});

test('exits 2 for a file that is not UTF-8', async () => {
  const { code, stderr } = await run(args({ file: file('latin1.txt') }));
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: [^\n]+it is not UTF-8 text\n$/);
});

test('takes an address in lower case', async () => {
  expect((await run(args({ authority: lowerCase }))).code).toBe(0);
});

test('exits 2 without showing the URL when the chain cannot be reached', async () => {
  const { code, stderr } = await run(args({ rpc: 'http://127.0.0.1:1/secret-key' }));
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
  expect(stderr).not.toContain('secret-key');
});

test('exits 2 when the URL is some web page', async () => {
  const address = webServer.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const { code, stderr } = await run(args({ rpc: `http://127.0.0.1:${port}/` }));
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error: [^\n]+\n$/) });
});
