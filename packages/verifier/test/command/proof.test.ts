import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  author,
  type RegistryFixture,
  startRegistry,
  stranger,
} from '../../../../contracts/test/chain/registry.ts';
import { runPython } from '../../../verifier-py/test/run-python.ts';
import { type AttestationReference, formatReference, type ProofFile } from '../../src/verifier.ts';
import { article, attestArticle } from '../attested-article.ts';

const script = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

let registry: RegistryFixture;
let reference: AttestationReference;
let directory: string;
let rpc: string[];
beforeAll(async () => {
  registry = await startRegistry();
  ({ reference } = await attestArticle(registry, author, article));
  directory = await mkdtemp(join(tmpdir(), 'proof-'));
  rpc = ['--rpc', registry.chain.rpcUrl];
  await writeFile(file('article.md'), article);
  await writeFile(file('altered.md'), `${article}.`);
  const written = await run(
    ...rpc,
    ...named(),
    '--file',
    file('article.md'),
    '--write-proof',
    file('article.proof.json'),
  );
  expect(written).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/a proof of block \d+, not final yet\n$/),
  });
  await copyFile(file('article.proof.json'), file('altered.proof.json'));
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
  await registry?.stop();
});

const file = (name: string) => join(directory, name);
const named = () => ['--reference', formatReference(reference)];
const readProof = async (name: string): Promise<ProofFile> => JSON.parse(await readFile(file(name), 'utf8'));
const blockHash = async () => (await readProof('article.proof.json')).storage?.block.hash ?? '';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function execute(command: string, args: readonly string[]): Promise<Ended> {
  return promisify(execFile)(command, args).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  );
}

const run = (...args: string[]) => execute(process.execPath, [script, ...args]);

const offline = async (...args: string[]) => run('--offline', '--block-hash', await blockHash(), ...args);

test('the proof beside an article is checked offline, and says on what it rests', async () => {
  const { code, stdout, stderr } = await offline('--file', file('article.md'));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('ok      the proof holds, and is of the block with that hash');
  expect(stdout).toMatch(
    `as of block ${(await readProof('article.proof.json')).storage?.block.number} of chain 31337, if ${await blockHash()} is that block: attested 20`,
  );
  expect(stdout).toContain('--      not checked offline: storage.block.final');
  expect(stdout).not.toContain('read at block');
  expect((await readProof('article.proof.json')).content.bytes).toBe(Buffer.byteLength(article));
});

test('offline nothing is asked of a chain that is gone', async () => {
  const other = await startRegistry();
  const { reference: lost } = await attestArticle(other, author, 'Kept by its proof alone.');
  await writeFile(file('lost.txt'), 'Kept by its proof alone.');
  const claim = ['--rpc', other.chain.rpcUrl, '--reference', formatReference(lost)];
  expect((await run(...claim, '--write-proof', file('lost.proof.json'))).code).toBe(0);
  await other.stop();
  const { storage } = await readProof('lost.proof.json');
  const hash = ['--block-hash', storage?.block.hash ?? ''];
  expect(await run('--offline', ...hash, '--file', file('lost.txt'))).toMatchObject({ code: 0, stderr: '' });
});

test('exits 1 for an altered text, and 2 where the proof says nothing: it is false, of another block or of another attestation', async () => {
  expect(await offline('--file', file('altered.md'))).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('altered: The text is not the attested one.'),
  });
  const proof = await readProof('article.proof.json');
  await writeFile(
    file('forged.proof.json'),
    JSON.stringify({ ...proof, content: { quoteRoot: `0x${'00'.repeat(32)}` } }),
  );
  expect(await offline('--proof', file('forged.proof.json'))).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(
      /^not verified; .*\nunknown: The proof does not hold: content.quoteRoot is not/m,
    ),
  });
  const wrong = ['--offline', '--block-hash', `0x${'00'.repeat(32)}`];
  expect((await run(...wrong, '--proof', file('article.proof.json'))).code).toBe(2);
  const claim = formatReference({ ...reference, authorityAddress: stranger });
  expect(await offline('--proof', file('article.proof.json'), '--reference', claim)).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('it is of another attestation'),
  });
});

test('exits 2 for a false proof with providers too, and so does the second verifier', async () => {
  const proof = await readProof('article.proof.json');
  const attested = { ...proof.attested, time: '2020-01-01T00:00:00Z' };
  await writeFile(file('false.proof.json'), JSON.stringify({ ...proof, attested }));
  const given = [...rpc, '--proof', file('false.proof.json'), '--file', file('article.md')];
  const says = (words: string) => ({ code: 2, stdout: expect.stringContaining(words) });
  expect(await run(...given)).toMatchObject(says('unknown: The proof file is false: '));
  const answer = says('outcome: "unknown"\nreason: "The proof file is false: its time is another."\n');
  expect(await runPython(['-m', 'imprimatur_verifier', ...given])).toMatchObject(answer);
  expect(
    (await runPython(['-m', 'imprimatur_verifier', ...rpc, '--proof', file('article.proof.json')])).code,
  ).toBe(0);
});

test('prints one JSON object with --json', async () => {
  const { code, stdout } = await offline('--file', file('article.md'), '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    verified: true,
    ...reference,
    outcome: 'verified',
    blockHash: await blockHash(),
    notChecked: ['attested.block', 'storage.block.final'],
    providers: [],
  });
});

test('online the reference is taken from the proof, and the rest from the chain', async () => {
  for (const args of [
    ['--file', file('article.md')],
    ['--proof', file('article.proof.json')],
  ])
    expect(await run(...rpc, ...args)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^verified: attested .*\(read at block \d+\)/m),
    });
  const claim = formatReference({ ...reference, attestationIndex: 9 });
  expect(await run(...rpc, '--proof', file('article.proof.json'), '--reference', claim)).toMatchObject({
    code: 2,
    stderr: 'error: the proof is of another attestation than --reference\n',
  });
});

test('a proof is written again, with what only the first one had, and waits until it is final', async () => {
  const proof = await readProof('article.proof.json');
  const revealTransaction = `0x${'0c'.repeat(32)}`;
  const served = { ...proof, attested: { ...proof.attested, revealTransaction }, storage: undefined };
  await writeFile(file('served.proof.json'), JSON.stringify(served));
  const args = ['--proof', file('served.proof.json'), '--write-proof', file('served.proof.json'), '--wait'];
  const waiting = run(...rpc, ...args);
  const written = async () => (await readProof('served.proof.json')).storage?.block.final;
  await expect.poll(written, { timeout: 20_000 }).toBe(false);
  await registry.chain.client.mine({ blocks: 100, interval: 1 });
  expect(await waiting).toMatchObject({ code: 0, stderr: expect.stringContaining('which is final') });
  expect(await readProof('served.proof.json')).toMatchObject({
    attested: { revealTransaction },
    storage: { block: { final: true } },
  });
});

test('of what is not there no proof is written', async () => {
  const claim = formatReference({ ...reference, attestationIndex: 9 });
  const path = file('none.proof.json');
  expect((await run(...rpc, '--reference', claim, '--write-proof', path)).code).toBe(1);
  await expect(readFile(path)).rejects.toThrow('ENOENT');
});

test.each([
  [['--offline', '--file', 'article.md'], '--block-hash is missing'],
  [['--offline', '--block-hash', '0x12', '--proof', 'article.proof.json'], 'a block hash must be 0x and 64'],
  [['--block-hash', '0x12', '--file', 'article.md', '--rpc', 'http://x'], '--block-hash needs --offline'],
  [
    ['--offline', '--block-hash', '0x12', '--rpc', 'http://x', '--file', 'article.md'],
    '--offline asks nobody',
  ],
  [['--offline', '--block-hash', '0x12', '--file', 'no.md'], 'there is no such file'],
  [
    ['--offline', '--block-hash', '0x12', '--file', 'alone.md'],
    '--proof is missing, and there is no alone.proof.json',
  ],
  [['--rpc', 'http://x', '--file', 'alone.md'], '--proof is missing, and there is no alone.proof.json'],
  [['--rpc', 'http://x', '--proof', 'none.json'], '--proof none.json: there is no such file'],
  [['--rpc', 'http://x', '--proof', 'alone.md'], 'alone.md: the file is not JSON'],
  [['--rpc', 'http://x', '--file', 'broken.md'], 'broken.proof.json: version must be 1'],
  [['--rpc', 'http://x', '--proof', 'article.proof.json', '--wait'], '--wait needs --write-proof'],
])('exits 2 with one plain line: %j', async (args, message) => {
  await writeFile(file('alone.md'), 'Without a proof.');
  await writeFile(file('broken.md'), 'With a proof that is none.');
  await writeFile(file('broken.proof.json'), '{"version":7}');
  const ended = await promisify(execFile)(process.execPath, [script, ...args], { cwd: directory }).then(
    () => undefined,
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  );
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^error: [^\n]+\n$/) });
  expect(ended?.stderr).toContain(message);
});
