import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AttestedText, formatReference } from 'imprimatur-verifier';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { author } from '../../../contracts/test/chain/registry.ts';
import { registry, useRegistry } from '../../../contracts/test/chain/use-registry.ts';
import { RpcServer } from '../../../test/fakes/rpc/rpc-server.ts';
import { type FakeAnswer, fakeApi, serve } from '../../client/test/fake-api.ts';
import { article, attestArticle } from '../../verifier/test/attested-article.ts';
import { runCommand, runPython } from './run-python.ts';

let reference: string;
let directory: string;
useRegistry();
beforeAll(async () => {
  reference = formatReference((await attestArticle(registry, author, article)).reference);
  directory = await mkdtemp(join(tmpdir(), 'python-verifier-'));
  await writeFile(join(directory, 'article.txt'), article);
  await writeFile(join(directory, 'none.json'), '{}');
  await writeFile(join(directory, 'latin1.txt'), Buffer.from('caf\xe9', 'latin1'));
});
afterAll(() => rm(directory, { recursive: true }));

const run = (...args: string[]) => runPython(['-m', 'imprimatur_verifier', ...args]);
const verify = (file: string, ...more: string[]) =>
  run('--rpc', registry.chain.rpcUrl, '--reference', reference, '--file', join(directory, file), ...more);

test('the command prints one fact a line, without the text', async () => {
  const { code, stdout, stderr } = await verify('article.txt');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^verified: true\noutcome: "verified"\n/);
  expect(stdout).toMatch(/^attestedAt: "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z"$/m);
  expect(stdout).toContain(`authorityAddress: "${author}"\n`);
  expect(stdout).toMatch(/^registry: \{"codeHash": "0x.*"version": "AttestationRegistry 2"/m);
  expect(stdout).toContain('notYetFinal: true\n');
  expect(stdout).not.toContain(article.trim());
});

test('the command reads all state at one block, by its hash', async () => {
  const requests: { method: string; params: readonly unknown[] }[] = [];
  const server = new RpcServer(async ({ method, params = [] }) => {
    requests.push({ method, params });
    return { result: await registry.chain.client.request({ method, params } as never) };
  });
  try {
    const rpc = ['--rpc', await server.start(), '--reference', reference, '--json'];
    const { providers } = JSON.parse((await runCommand(rpc)).stdout);
    const methods = new Set(requests.map(({ method }) => method));
    expect(methods).toEqual(new Set(['eth_chainId', 'eth_getBlockByNumber', 'eth_getCode', 'eth_call']));
    const pinned = requests.filter(({ method }) => /^eth_(call|getCode)$/.test(method));
    for (const { params } of pinned) expect(params.at(-1)).toEqual({ blockHash: providers[0].block.hash });
    const params = pinned.map(({ params }) => JSON.stringify(params));
    expect(new Set(params).size).toBe(params.length);
  } finally {
    await server.stop();
  }
});

test('`--help` lists every option and the exit codes', async () => {
  const { code, stdout } = await run('--help');
  expect(code).toBe(0);
  for (const word of ['--rpc', '--reference', '--file', '--json', '--other-registry', 'exit code'])
    expect(stdout).toContain(word);
});

test.each([
  ['--reference REFERENCE', 'one of the arguments --rpc --block-hash is required'],
  ['--rpc WEB --quote /nowhere --file /nowhere', '--quote cannot be used with --file'],
  ['--rpc WEB --reference REFERENCE --fil x', 'unrecognized arguments'],
  ['--rpc file:///secret-key --reference REFERENCE', 'an http or https URL'],
  ['--rpc WEB --reference hello', 'a reference is eip155:'],
  ['--rpc WEB --reference REFERENCE --file /nowhere', 'No such file'],
  ['--rpc WEB --reference REFERENCE --file LATIN1', "'utf-8' codec can't decode"],
  ['--rpc WEB --reference REFERENCE --other-registry 0x1', 'an address'],
  ['--rpc WEB --quote ', 'Is a directory'],
  [`--block-hash HASH --proof PROOF --other-registry 0x${'1'.repeat(40)}`, 'with --other-registry'],
  ['--block-hash  --proof PROOF', '--block-hash'],
  ['--block-hash 0x12 --proof PROOF', '--block-hash must be a string of the form 0x'],
  ['--block-hash HASH --proof NONE', 'version is missing'],
  ['--block-hash HASH --quote NONE', '--block-hash needs --proof'],
])('the command exits 2 for %s', async (line, message) => {
  const values = {
    ...{
      WEB: 'http://127.0.0.1:1',
      REFERENCE: reference,
      LATIN1: `${directory}/latin1.txt`,
      HASH: `0x${'0'.repeat(64)}`,
    },
    ...{ PROOF: 'test/vectors/proofs/single.proof.json', NONE: `${directory}/none.json` },
  };
  const args = line.split(' ').map((part) => values[part as keyof typeof values] ?? part);
  const { code, stdout, stderr } = await runCommand(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/error: [^\n]+\n$/);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('secret-key');
  expect(stderr).not.toContain('Traceback');
});

const urlOfServer = async (...answer: Exclude<FakeAnswer, string>) => (await fakeApi(answer)).url;
const tooLong = `${' '.repeat(9 * 1024 * 1024)}{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`;

test.each([
  ['a web page', async () => `${await urlOfServer(200, '<html>')}/secret-key`, 'eth_chainId (HTTP 200)'],
  ['a redirect', () => urlOfServer(302, '', { location: registry.chain.rpcUrl }), 'eth_chainId (HTTP 302)'],
  ['an answer that is too long', () => urlOfServer(200, tooLong), 'eth_chainId (HTTP 200)'],
  ['nothing because the port is invalid', () => 'http://127.0.0.1:99999/', 'does not answer'],
  ['nothing', () => 'http://user:secret-key@127.0.0.1:1/', 'does not answer'],
])('the command exits 2 and prints no URL if the provider returns %s', async (_, url, message) => {
  const { code, stdout, stderr } = await runCommand(['--rpc', await url(), '--reference', reference]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
  expect(stdout).toContain('outcome: "unknown"\nreason: "Too few providers answered."\n');
  expect(stdout).toMatch(/^providers: \[\{"name": "127\.0\.0\.1:\d+", "answered": false, /m);
  expect(stdout).toContain(message);
  expect(stdout).not.toContain('secret-key');
});

/** Runs the command after a statement that changes its modules. */
const runChanged = (statement: string, ...args: readonly string[]) => {
  const modules = 'import sys\nfrom imprimatur_verifier import verdict, __main__ as verify';
  return runPython(['-c', `${modules}\n${statement}\nsys.exit(verify.main(sys.argv[1:]))`, ...args]);
};

test('the command stops waiting for a slow provider, and uses the majority', async () => {
  const slow = await serve((_, response) => {
    const dripping = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(dripping));
  });
  const urls = [registry.chain.rpcUrl, `http://127.0.0.1:${slow}`, registry.chain.rpcUrl];
  const args = ['--reference', reference, ...urls.flatMap((url) => ['--rpc', url])];
  const { code, stdout, stderr } = await runChanged('verdict._TIMEOUT_SECONDS = 10', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('"answered": false, "says": "does not answer in time"}');
});

test('an invalid quote proof is a negative result', async () => {
  const args = ['--rpc', registry.chain.rpcUrl, '--quote', join(directory, 'article.txt')];
  expect(await run(...args)).toEqual({
    code: 1,
    stdout: 'verified: false\nreason: "The proof is not JSON."\n',
    stderr: '',
  });
  const { code, stdout } = await run(...args, '--json');
  expect([code, JSON.parse(stdout)]).toEqual([1, { verified: false, reason: 'The proof is not JSON.' }]);
});

test('the command escapes control characters of a quoted passage', async () => {
  const text = 'Quoted: \u001b[31m😀 so.';
  const { reference } = await attestArticle(registry, author, text);
  const quote = join(directory, 'quote.json');
  await writeFile(quote, JSON.stringify(new AttestedText(reference, text).quote('\u001b[31m😀')));
  const { code, stdout } = await run('--rpc', registry.chain.rpcUrl, '--quote', quote);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^verified: true$/m);
  expect(stdout).toContain('quoted: ["\\u001b[31m\\ud83d\\ude00"]\n');
});

test.each([
  ['the output', 'verify.exit_code'],
  ['the requests', 'verdict.read_evidence'],
])('an unexpected error in %s exits 2', async (_, name) => {
  const args = ['--rpc', registry.chain.rpcUrl, '--reference', reference];
  const { code, stderr } = await runChanged(`${name} = lambda *_: 1 // 0`, ...args);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('ZeroDivisionError') });
});
