import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Attestation } from 'imprimatur-client';
import { zeroHash } from 'viem';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { attest, draft, hash } from '../../../../contracts/test/chain/attest.ts';
import {
  author,
  other,
  platform,
  RegistryFixture,
  stranger,
} from '../../../../contracts/test/chain/registry.ts';
import { registry, useRegistry } from '../../../../contracts/test/chain/use-registry.ts';
import { answeredBy, wrongChain } from '../../../../test/fakes/rpc/rpc-answers.ts';
import { RpcRefusal } from '../../../../test/fakes/rpc/rpc-call.ts';
import { RpcProxy, type RpcRule } from '../../../../test/fakes/rpc/rpc-proxy.ts';
import { attestation, confirmed, id, serve } from '../../../client/test/fake-api.ts';
import { cidOfDigest } from '../../../verifier/src/reference/content-cid.ts';
import { InterruptedError } from '../../src/errors.ts';
import { directoryWith, expectError, expectOutput, noService, run } from '../run.ts';

const chainId = 31_337;

/** Each test has its own chain, with blocks final at depth two. */
useRegistry('test', ['--slots-in-an-epoch', '1']);
beforeEach(() => {
  [listed, isDown] = [[], false];
});

const mine = (blocks: number) => registry.chain.client.mine({ blocks });

const linesOf = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const newFile = () => directoryWith({})('watch.json');

async function lastTransaction() {
  const { transactions } = await registry.chain.client.getBlock();
  return transactions[0] ?? '0x';
}

/** Attests for the author. @returns the transaction */
async function attestAs(sender: typeof author, n: number) {
  await attest(registry, draft(sender, { authority: author, digest: hash(n), salt: hash(1000 + n) }));
  return lastTransaction();
}

type Extra = Parameters<typeof run>[2];

/** Watches the author, by default without the service. */
function watch(argv: readonly string[] = [], extra: Extra = {}) {
  const preset = (name: string, values: readonly string[]) => (argv.includes(name) ? [] : [name, ...values]);
  const always = [
    ...preset('--authority', [author]),
    ...preset('--chain', [String(chainId)]),
    ...preset('--rpc', [registry.chain.rpcUrl]),
  ];
  return run(noService, ['watch', ...always, ...argv], { variables: {}, ...extra });
}
const once = (argv: readonly string[] = [], extra?: Extra) => watch(['--once', ...argv], extra);
async function started(): Promise<string> {
  const cursor = newFile();
  await mine(5);
  await once(['--cursor', cursor]);
  return cursor;
}

test('watch reports the events of the authority in order, and no others', async () => {
  await registry.mine(author, 'delegate', [platform]);
  await registry.mine(other, 'delegate', [platform]);
  await attestAs(platform, 1);
  await attest(registry, draft(other, { digest: hash(1) }));
  await attestAs(author, 2);
  await registry.mine(author, 'setChildIpfsHash', [1n, hash(2)]);
  await registry.mine(other, 'setChildIpfsHash', [2n, hash(9)]);
  await registry.mine(author, 'revokeAttestation', [3n]);
  await registry.mine(other, 'revokeAttestation', [2n]);
  await registry.mine(author, 'setChildIpfsHash', [1n, zeroHash]);
  await registry.mine(author, 'revokeDelegation', []);
  await mine(3);
  const { exitCode, out, error } = await once(['--since', '0', '--json']);
  expect(exitCode).toBe(4);
  expect(error).toContain(`watching every registry on chain ${chainId} from block 1\n`);
  const [first, ...events] = linesOf(out);
  expect(first).toMatchObject({
    ...{ by: 'unknown', state: 'final', kind: 'delegation', delegateAddress: platform },
    registryAddress: registry.address,
  });
  expect(events).toMatchObject([
    { kind: 'attestation', attestationIndex: 1, contentCid: cidOfDigest(hash(1)) },
    { kind: 'attestation', attestationIndex: 3, contentCid: cidOfDigest(hash(2)) },
    { kind: 'link', attestationIndex: 1, contentCid: cidOfDigest(hash(1)), childCid: cidOfDigest(hash(2)) },
    { kind: 'revocation', attestationIndex: 3, contentCid: cidOfDigest(hash(2)) },
    { kind: 'link', attestationIndex: 1, childCid: null },
    { kind: 'delegation', delegateAddress: `0x${'0'.repeat(40)}` },
    { reported: 7 },
  ]);
});

test('watch prints events in lines of at most 82 characters', async () => {
  await registry.mine(author, 'delegate', [stranger]);
  await mine(3);
  const { out } = await once(['--since', '1']);
  expect(out).toMatch(/^\d{4}-\S+Z {2}seen: delegation\n {2}to {11}0x/);
  expect(out).toContain('\n  block        ');
  expect(out).toMatch(/\n1 reported, up to the final block \d+\n$/);
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(82);
});

test('an event that is not final is reported once, and again if a reorg removes it', async () => {
  const { client } = registry.chain;
  const cursor = await started();
  const snapshot = await client.snapshot();
  await registry.mine(author, 'delegate', [stranger]);
  const events = async () => linesOf((await once(['--cursor', cursor, '--json'])).out).slice(0, -1);
  expect(await events()).toMatchObject([{ kind: 'delegation', state: 'notFinal' }]);
  expect(await events()).toEqual([]);
  await client.revert({ id: snapshot });
  await client.increaseTime({ seconds: 100 });
  await mine(1);
  expect(await events()).toMatchObject([{ kind: 'delegation', state: 'undone', delegateAddress: stranger }]);
  await registry.mine(author, 'delegate', [stranger]);
  await expectOutput(once(['--cursor', cursor]), 4, 'not final');
  await mine(5);
  const end = await once(['--cursor', cursor]);
  expect(end).toMatchObject({ exitCode: 0, out: expect.stringContaining('nothing reported') });
  expect(JSON.parse(readFileSync(cursor, 'utf8')).provisional).toEqual([]);
});

test.each(['{}', '[]', 'x', '{"version":1,"block":{"number":1,"hash":"0x"},"provisional":[1]}'])(
  'an invalid cursor file, %s, stays unchanged',
  async (content) => {
    const cursor = directoryWith({ 'watch.json': content })('watch.json');
    expect((await once(['--cursor', cursor])).exitCode).toBe(2);
    expect(readFileSync(cursor, 'utf8')).toBe(content);
  },
);

test('watch fails if a final block was replaced', async () => {
  const cursor = await started();
  const file = JSON.parse(readFileSync(cursor, 'utf8'));
  writeFileSync(cursor, JSON.stringify({ ...file, block: { ...file.block, hash: `0x${'12'.repeat(32)}` } }));
  await expectError(once(['--cursor', cursor]), 1, 'has been replaced');
});

async function startProxy(...rules: readonly RpcRule[]): Promise<RpcProxy> {
  const proxy = await RpcProxy.start(registry.chain.rpcUrl, rules);
  onTestFinished(() => proxy.stop());
  return proxy;
}

test('--final-depth applies to a node that does not report final blocks', async () => {
  await registry.mine(author, 'delegate', [stranger]);
  await mine(10);
  const noTag = answeredBy(['eth_getBlockByNumber'], ({ method, params = [] }, ask) => {
    if (params[0] === 'finalized') throw new RpcRefusal({ code: -32_602, message: 'unknown block tag' });
    return ask(method, params);
  });
  const proxy = await startProxy(noTag);
  const stateAt = async (depth: string) => {
    const argv = ['--since', '0', '--json', '--rpc', proxy.url, '--final-depth', depth];
    return linesOf((await once(argv)).out)[0]?.state;
  };
  expect([await stateAt('5'), await stateAt('64')]).toEqual(['final', 'notFinal']);
});

/** A watch that runs until it is interrupted, with its notes. */
function watchOn(argv: readonly string[]) {
  const interruption = new AbortController();
  const notes: string[] = [];
  const ended = watch([...argv, '--interval', '0.05'], {
    signal: interruption.signal,
    errors: { write: (text: string) => void notes.push(text) },
  });
  return { ended, notes, interrupt: () => interruption.abort(new InterruptedError(130)) };
}

test('watch continues until it is interrupted, despite temporary failures of a provider', async () => {
  const cursor = newFile();
  const down: RpcRule = { methods: ['eth_getLogs'], times: 2, fault: { kind: 'refused', status: 400 } };
  await mine(5);
  const proxy = await startProxy();
  proxy.addRule(down);
  const { ended, notes, interrupt } = watchOn(['--cursor', cursor, '--rpc', proxy.url]);
  await expect.poll(() => notes.join('')).toContain('checking every 0.05 s');
  await registry.mine(author, 'delegate', [stranger]);
  const provisional = () => (existsSync(cursor) ? JSON.parse(readFileSync(cursor, 'utf8')).provisional : []);
  await expect.poll(provisional).toHaveLength(1);
  interrupt();
  const { exitCode, out } = await ended;
  expect(exitCode).toBe(4);
  expect(out).toContain('seen: delegation');
  expect(out).toContain('1 reported');
  expect((await once(['--cursor', cursor])).exitCode).toBe(0);
});

test.each([
  [['--authority', '0x12'], '--authority must be an address'],
  [['--registry', stranger], 'is not a known registry'],
  [['--since', 'yesterday'], '--since must be a block number or a time'],
  [['--rpc', 'ftp://x'], 'must be an http or https URL'],
  [['--interval', '0'], 'number of seconds'],
])('watch exits with 2 for %j', async (argv, words) => {
  await expectError(once(argv), 2, words);
});

test('watch accepts a time for --since, and refuses the cursor of another watch', async () => {
  await registry.mine(author, 'delegate', [stranger]);
  const { timestamp } = await registry.chain.client.getBlock();
  await registry.chain.client.increaseTime({ seconds: 3600 });
  await mine(5);
  const timeAfter = (seconds: number) => new Date((Number(timestamp) + seconds) * 1000).toISOString();
  expect((await once(['--since', timeAfter(0)])).exitCode).toBe(4);
  expect((await once(['--since', timeAfter(1)])).exitCode).toBe(0);
  const cursor = newFile();
  await once(['--cursor', cursor]);
  const both = await once(['--cursor', cursor, '--since', '1']);
  expect(both).toMatchObject({ exitCode: 2, error: expect.stringContaining('omit --since') });
  const elsewhere = await once(['--cursor', cursor, '--authority', other]);
  expect(elsewhere).toMatchObject({ exitCode: 2, error: expect.stringContaining('to another watch') });
});

test('of two watches with the same cursor file, the second one to write fails', async () => {
  const cursor = newFile();
  await mine(5);
  const { ended, notes } = watchOn(['--cursor', cursor]);
  await expect.poll(() => existsSync(cursor)).toBe(true);
  await mine(5);
  // Another watch has written an older position.
  const other = JSON.parse(readFileSync(cursor, 'utf8'));
  writeFileSync(cursor, JSON.stringify({ ...other, block: { ...other.block, number: 1 } }));
  const written = readFileSync(cursor, 'utf8');
  expect((await ended).exitCode).toBe(2);
  expect(notes.join('')).toContain('another watch uses');
  expect(readFileSync(cursor, 'utf8')).toBe(written);
  expect(readdirSync(dirname(cursor))).toEqual(['watch.json']);
});

/** The service's answer. A test changes it between checks. */
let listed: readonly Attestation[];
let isDown: boolean;

async function watchWithService(...argv: string[]) {
  const port = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const contentCid = searchParams.get('contentCid');
    const attestations = listed.filter((one) => contentCid === null || one.contentCid === contentCid);
    const chain = { chainId, name: 'anvil', registryAddress: registry.address, delegateAddress: platform };
    const body = pathname === '/v1/chains' ? { chains: [chain] } : { attestations };
    response.writeHead(isDown ? 501 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isDown ? { error: { message: 'the service is down' } } : body));
  });
  const variables = { IMPRIMATUR_URL: `http://127.0.0.1:${port}`, IMPRIMATUR_API_KEY: 'imp_test_key' };
  const rpc = argv.includes('--rpc') ? [] : ['--rpc', registry.chain.rpcUrl];
  return run(noService, ['watch', '--once', '--authority', author, ...rpc, ...argv], { variables });
}

const checkWithService = (...argv: string[]) => watchWithService('--json', ...argv);

const row = (n: number, fields: Partial<Attestation> = {}) =>
  attestation({
    id: id.replace(/1$/, String(n)),
    ...{ contentCid: cidOfDigest(hash(n)), registryAddress: registry.address, ...fields },
  });

test("the service's own events are not reported, but similar events by others are", async () => {
  await registry.mine(author, 'delegate', [platform]);
  const first = row(1, { ...confirmed, revealTxHash: await attestAs(platform, 1), attestationIndex: 1 });
  const second = row(2, { ...confirmed, revealTxHash: await attestAs(platform, 2), attestationIndex: 2 });
  await registry.mine(platform, 'setChildIpfsHash', [1n, hash(2)]);
  const childLinkTxHash = await lastTransaction();
  // Events that the service did not cause: two with its key, and one that it found on the chain, by the authority.
  await attestAs(platform, 3);
  await registry.mine(platform, 'setChildIpfsHash', [2n, hash(3)]);
  await attestAs(author, 4);
  // The same link again, by the author.
  await registry.mine(author, 'setChildIpfsHash', [1n, hash(2)]);
  await registry.mine(author, 'delegate', [stranger]);
  await mine(3);
  const linked = { ...first, childAttestationId: second.id, childLinkTxHash };
  listed = [row(5), row(4, { status: 'confirmed', attestationIndex: 4 }), second, linked];
  const { exitCode, out, error } = await checkWithService('--since', '0');
  expect(error).toContain('watching every registry');
  expect(exitCode).toBe(4);
  expect(linesOf(out)).toMatchObject([
    // The service never delegates, so this was the authority.
    { by: 'other', kind: 'delegation', delegateAddress: platform },
    { by: 'other', kind: 'attestation', attestationIndex: 3 },
    { by: 'other', kind: 'link', attestationIndex: 2, childCid: cidOfDigest(hash(3)) },
    { by: 'other', kind: 'attestation', attestationIndex: 4 },
    { by: 'other', kind: 'link', attestationIndex: 1, childCid: cidOfDigest(hash(2)) },
    { by: 'other', kind: 'delegation', delegateAddress: stranger },
    { reported: 6 },
  ]);
});

test('the public registry, which documents no events, is reported as not watched, and refused as --registry', async () => {
  await mine(5);
  const proxy = await startProxy(wrongChain(8453));
  const argv = ['--chain', '8453', '--rpc', proxy.url];
  const every = await checkWithService(...argv);
  expect(every).toMatchObject({ exitCode: 0, error: expect.stringContaining('and is not watched') });
  const publicRegistry = '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381';
  expect(linesOf(every.out)).toMatchObject([{ reported: 0, notWatched: [publicRegistry] }]);
  const inWords = await watchWithService(...argv);
  expect(inWords.out).toContain(`not watched: the public registry ${publicRegistry}`);
  const named = await checkWithService(...argv, '--registry', publicRegistry);
  expect(named).toMatchObject({ exitCode: 2, error: expect.stringContaining('which documents no events') });
});

test('a watch of one registry can continue with all registries, and reports the gap', async () => {
  const cursor = newFile();
  await attestAs(author, 1);
  await mine(5);
  await checkWithService('--cursor', cursor, '--registry', registry.address);
  const { block } = JSON.parse(readFileSync(cursor, 'utf8'));
  const second = await RegistryFixture.deploy(registry.chain, 61);
  await second.mine(author, 'delegate', [stranger]);
  await mine(3);
  const { out, error } = await checkWithService('--cursor', cursor);
  expect(linesOf(out)).toMatchObject([{ registryAddress: second.address }, { reported: 1 }]);
  expect(error).toContain(`up to block ${block.number}, only ${registry.address} was watched`);
  const next = await checkWithService('--cursor', cursor);
  expect(next.exitCode).toBe(0);
  expect(next.error).not.toContain('was watched');
});

test('events of attestations in progress are undecided until the service lists their transactions', async () => {
  await registry.mine(author, 'delegate', [platform]);
  await mine(3);
  const cursor = newFile();
  await checkWithService('--cursor', cursor);
  const hashes = [await attestAs(platform, 1), await attestAs(platform, 2)] as const;
  await registry.mine(platform, 'setChildIpfsHash', [1n, hash(2)]);
  const childLinkTxHash = await lastTransaction();
  await mine(3);
  listed = [row(2, { status: 'committed' }), row(1, { status: 'committed', childAttestationId: row(2).id })];
  const { exitCode, error } = await checkWithService('--cursor', cursor);
  expect([exitCode, error]).toEqual([0, expect.stringContaining("may be the service's own: 3")]);
  expect(JSON.parse(readFileSync(cursor, 'utf8')).undecided).toHaveLength(3);
  listed = [
    row(2, { ...confirmed, revealTxHash: hashes[1] }),
    row(1, { ...confirmed, revealTxHash: hashes[0], childAttestationId: row(2).id, childLinkTxHash }),
  ];
  expect(await checkWithService('--cursor', cursor)).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(readFileSync(cursor, 'utf8')).undecided).toEqual([]);
});

test('while the service is down, events that it never causes are reported, and the others are decided when it is up again', async () => {
  await registry.mine(author, 'delegate', [platform]);
  await mine(3);
  const cursor = newFile();
  await checkWithService('--cursor', cursor);
  await registry.mine(author, 'delegate', [platform]);
  const revealTxHash = await attestAs(platform, 1);
  await attestAs(author, 2);
  await mine(3);
  isDown = true;
  const argv = ['--chain', String(chainId), '--cursor', cursor];
  const error = expect.stringContaining('the service returned HTTP 501');
  const seen = await checkWithService(...argv);
  expect(seen).toMatchObject({ exitCode: 4, error });
  expect(linesOf(seen.out)).toMatchObject([{ by: 'other', kind: 'delegation' }, { reported: 1 }]);
  expect(await checkWithService(...argv)).toMatchObject({ exitCode: 1, error });
  isDown = false;
  listed = [row(1, { ...confirmed, revealTxHash })];
  const reported = linesOf((await checkWithService('--cursor', cursor)).out);
  expect(reported).toMatchObject([
    { by: 'other', kind: 'attestation', attestationIndex: 2 },
    { reported: 1 },
  ]);
});
