import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { author, stranger } from '../../../contracts/test/chain/registry.ts';
import { registry, useRegistry } from '../../../contracts/test/chain/use-registry.ts';
import { runPython } from '../../verifier-py/test/run-python.ts';
import { runCommand } from '../src/command/run-command.ts';
import { type AttestationReference, AttestedText, formatReference, type ProofFile } from '../src/verifier.ts';
import { article, attestArticle } from './attested-article.ts';

const script = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let claim: AttestationReference;
let directory: string;
useRegistry();
beforeAll(async () => {
  ({ reference: claim } = await attestArticle(registry, author, article));
  directory = await mkdtemp(join(tmpdir(), 'verifier-'));
  await writeFile(join(directory, 'article.txt'), article);
  const quote = new AttestedText(claim, article).quote('attested 😀 … read');
  await writeFile(join(directory, 'quote.json'), JSON.stringify(quote, undefined, 2));
  await writeFile(join(directory, 'latin1.txt'), Buffer.from('caf\xe9', 'latin1'));
  await writeFile(file('article.md'), article);
  await writeFile(file('altered.txt'), `${article}.`);
  const write = ['--file', file('article.md'), '--write-proof', file('article.proof.json')];
  expect(await run(...rpc(), ...named(), ...write)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/proof at block \d+, not final yet\n$/),
  });
});
afterAll(() => rm(directory, { recursive: true }));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(...args: readonly string[]): Promise<Outcome> {
  let [stdout, stderr] = ['', ''];
  const code = await runCommand(args, {
    log: (text) => {
      stdout += `${text}\n`;
    },
    error: (text) => {
      stderr += `${text}\n`;
    },
  });
  return { code, stdout, stderr };
}

/** The true claim, part by part. */
const parts = () => [
  ...['--registry', claim.registryAddress, '--chain', String(claim.chainId), '--cid', claim.contentCid],
  ...['--authority', claim.authorityAddress, '--index', String(claim.attestationIndex)],
];

const file = (name: string) => join(directory, name);

test('the command exits 0 and prints each check of a verified attestation', async () => {
  const { code, stdout, stderr } = await run(...rpc(), ...parts(), '--file', file('article.txt'));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.match(/^ok /gm)).toHaveLength(8);
  expect(stdout).toMatch(/^verified: attested \d{4}-\d\d-\d\dT/m);
  expect(stdout).not.toContain(article.trim());
});

test('`--other-registry` reports addresses without a known registry', async () => {
  const unknown = await run(...rpc(), ...named(), '--other-registry', stranger);
  expect(unknown.stdout).toContain(`${stranger} is not a known registry`);
  const { code, stderr } = await run(...rpc(), ...named(), '--other-registry', '0x1');
  expect([code, stderr]).toEqual([2, expect.stringContaining('--other-registry must be an address')]);
});

test('the command reports that the attestation of an altered text was revoked', async () => {
  const { reference } = await attestArticle(registry, author, 'Soon withdrawn.');
  await registry.mine(author, 'revokeAttestation', [BigInt(reference.attestationIndex)]);
  const text = ['--file', file('altered.txt')];
  const { code, stdout } = await run(...rpc(), ...named(reference), ...text);
  expect(code).toBe(1);
  expect(stdout).toContain('FAILED  the CID matches the text');
  expect(stdout).toMatch(/^not verified/m);
  expect(stdout).toMatch(
    /^altered: The text is not the attested one; the attestation has been revoked since$/m,
  );
});

test('`--quote` prints the passage and each check', async () => {
  const quoteArgs = [...rpc(), '--quote', file('quote.json')];
  const { code, stdout, stderr } = await run(...quoteArgs);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^quoted {2}"attested 😀"\nquoted {2}"read"\n/);
  expect(stdout.match(/^ok /gm)).toHaveLength(7);
  expect(stdout).toContain('ok      the proof matches the quote root of attestation 1');
  expect(stdout).toContain('Only the text itself shows');
  expect(JSON.parse((await run(...quoteArgs, '--json')).stdout)).toMatchObject({
    ...{ verified: true, outcome: 'verified', ...claim, quoted: ['attested 😀', 'read'] },
  });
});

test('`--quote` exits 1 for an invalid quote proof', async () => {
  const quoteArgs = [...rpc(), '--quote', file('article.txt')];
  expect(await run(...quoteArgs)).toEqual({
    code: 1,
    stdout: 'not verified: The proof is not JSON.\n',
    stderr: '',
  });
  const { code, stdout } = await run(...quoteArgs, '--json');
  expect([code, JSON.parse(stdout)]).toEqual([1, { verified: false, reason: 'The proof is not JSON.' }]);
});

test('the command exits 2 if one of two providers does not respond', async () => {
  const { code, stderr } = await run(...rpc(), ...named(), '--rpc', 'http://127.0.0.1:1/secret-key');
  expect(code).toBe(2);
  expect(stderr).toContain('127.0.0.1:1 does not answer');
  expect(stderr).not.toContain('secret-key');
});

test('`--help` lists the options', async () => {
  const { code, stdout } = await run('--help');
  expect(code).toBe(0);
  await expect(stdout).toMatchFileSnapshot('help/imprimatur-verify.txt');
});

const named = (reference = claim) => ['--reference', formatReference(reference)];
const readProof = async (name: string): Promise<ProofFile> => JSON.parse(await readFile(file(name), 'utf8'));
const rpc = () => ['--rpc', registry.chain.rpcUrl];
const blockHash = async () => (await readProof('article.proof.json')).storage?.block.hash ?? '';

const offline = async (...args: string[]) => run('--offline', '--block-hash', await blockHash(), ...args);

test('`--offline` checks the proof file of an article, and prints the condition of its result', async () => {
  const { code, stdout, stderr } = await offline('--file', file('article.md'));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('ok      the proof is valid for the block with this hash');
  expect(stdout).toMatch(
    `as of block ${(await readProof('article.proof.json')).storage?.block.number} of chain 31337, if ${await blockHash()} is that block: attested 20`,
  );
  expect(stdout).toContain('--      not checked offline: storage.block.final');
  expect(stdout).not.toContain('read at block');
  expect((await readProof('article.proof.json')).content.bytes).toBe(Buffer.byteLength(article));
});

test('`--offline` exits 2 for the proof of another attestation', async () => {
  const wrong = formatReference({ ...claim, authorityAddress: stranger });
  expect(await offline('--proof', file('article.proof.json'), '--reference', wrong)).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/^not verified; .*\nunknown: The proof is invalid: it is for another/m),
  });
});

test('both verifiers exit 2 for a proof file that contradicts the providers', async () => {
  const proof = await readProof('article.proof.json');
  const attested = { ...proof.attested, time: '2020-01-01T00:00:00Z' };
  await writeFile(file('false.proof.json'), JSON.stringify({ ...proof, attested }));
  const args = [...rpc(), '--proof', file('false.proof.json'), '--file', file('article.md')];
  const outputWith = (words: string) => ({ code: 2, stdout: expect.stringContaining(words) });
  expect(await run(...args)).toMatchObject(outputWith('unknown: The proof file is wrong: '));
  const answer = outputWith(
    'outcome: "unknown"\nreason: "The proof file is wrong: attested.time does not match the chain."\n',
  );
  expect(await runPython(['-m', 'imprimatur_verifier', ...args])).toMatchObject(answer);
  expect(
    (await runPython(['-m', 'imprimatur_verifier', ...rpc(), '--proof', file('article.proof.json')])).code,
  ).toBe(0);
});

test('`--json` prints one JSON object', async () => {
  const { code, stdout } = await offline('--file', file('article.md'), '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    verified: true,
    ...claim,
    outcome: 'verified',
    blockHash: await blockHash(),
    notChecked: ['attested.block', 'storage.block.final'],
    providers: [],
  });
});

test('the command reads the reference from the proof file if there are providers', async () => {
  for (const args of [
    ['--file', file('article.md')],
    ['--proof', file('article.proof.json')],
  ])
    expect(await run(...rpc(), ...args)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^verified: attested .*\(read at block \d+\)/m),
    });
  const wrong = formatReference({ ...claim, attestationIndex: 9 });
  expect(await run(...rpc(), '--proof', file('article.proof.json'), '--reference', wrong)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is for a different attestation'),
  });
});

test('the process prints to stdout and stderr, and ends with the exit code', async () => {
  const altered = [...rpc(), ...named(), '--file', file('altered.txt')];
  const start = (args: readonly string[]) => promisify(execFile)(process.execPath, [script, ...args]);
  const { code, stdout } = await run(...altered);
  await expect(start(altered)).rejects.toMatchObject({ code, stdout, stderr: '' });
  await expect(start([])).rejects.toMatchObject({ ...(await run()), code: 2 });
});

test("`--write-proof --wait` keeps the service's fields and waits until the block is final", async () => {
  const proof = await readProof('article.proof.json');
  const revealTransaction = `0x${'0c'.repeat(32)}`;
  const served = { ...proof, attested: { ...proof.attested, revealTransaction }, storage: undefined };
  await writeFile(file('served.proof.json'), JSON.stringify(served));
  const args = ['--proof', file('served.proof.json'), '--write-proof', file('served.proof.json'), '--wait'];
  const waiting = run(...rpc(), ...args);
  const written = async () => (await readProof('served.proof.json')).storage?.block.final;
  await expect.poll(written).toBe(false);
  await registry.chain.client.mine({ blocks: 100, interval: 1 });
  expect(await waiting).toMatchObject({ code: 0, stderr: expect.stringContaining(', final') });
  expect(await readProof('served.proof.json')).toMatchObject({
    attested: { revealTransaction },
    storage: { block: { final: true } },
  });
});

test('`--write-proof` writes nothing for a missing attestation', async () => {
  const path = file('none.proof.json');
  const wrong = named({ ...claim, attestationIndex: 9 });
  expect((await run(...rpc(), ...wrong, '--write-proof', path)).code).toBe(1);
  await expect(readFile(path)).rejects.toThrow('ENOENT');
});

test.each([
  [['--rpc', 'http://x', '--chain', '1'], 'missing --registry'],
  [['--rpc', 'localhost:8545', '--file', 'article.md'], 'an RPC endpoint must be an http or https URL'],
  [['--chain', '0'], '--chain must be a positive integer'],
  [['--authority', '0x1234'], '--authority must be an address'],
  [['--cid', 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o'], '--cid must be a CIDv1'],
  [['--nonsense'], "unknown option '--nonsense'"],
  [['--rpc', 'http://x', '--proof', 'article.proof.json', '--file', '/'], 'is a directory'],
  [['--offline', '--file', 'article.md'], 'missing --block-hash'],
  [['--offline', '--block-hash', '0x12', '--proof', 'article.proof.json'], 'a block hash must be 0x and 64'],
  [['--block-hash', '0x12', '--file', 'article.md', '--rpc', 'http://x'], '--block-hash needs --offline'],
  [
    ['--offline', '--block-hash', '0x12', '--rpc', 'http://x', '--file', 'article.md'],
    "option '--offline' cannot be used with option '--rpc <url>'",
  ],
  [['--rpc', 'http://x', '--file', 'lone.md'], 'missing --proof, and lone.proof.json does not exist or'],
  [['--rpc', 'http://x', '--proof', 'none.json'], '--proof none.json: no such file'],
  [['--rpc', 'http://x', '--proof', 'lone.md'], 'lone.md: the file is not JSON'],
  [['--rpc', 'http://x', '--file', 'broken.md'], 'broken.proof.json: version must be 1'],
  [['--rpc', 'http://x', '--proof', 'article.proof.json', '--wait'], '--wait needs --write-proof'],
  [['--rpc', 'http://x', '--proof', 'article.proof.json', '--file', 'latin1.txt'], 'not valid UTF-8'],
  [
    ['--rpc', 'http://x', '--quote', 'quote.json', '--index', '1'],
    "option '--quote <path>' cannot be used with option '--index <number>'",
  ],
])('the command exits 2 with one line for %j', async (args, message) => {
  await writeFile(file('lone.md'), 'Without a proof.');
  await writeFile(file('broken.md'), 'With a proof that is none.');
  await writeFile(file('broken.proof.json'), '{"version":7}');
  const inDirectory = (arg: string) => (/^[\w.]+\.(md|json|txt)$/.test(arg) ? file(arg) : arg);
  const result = await run(...args.map(inDirectory));
  expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^error: [^\n]+\n$/) });
  expect(result.stderr.replaceAll(`${directory}/`, '')).toContain(message);
});
