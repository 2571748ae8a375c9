import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { zeroHash } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { attest, draft, hash } from '../../../../contracts/test/chain/attest.ts';
import { batchArguments, batchHash } from '../../../../contracts/test/chain/batch.ts';
import { author, other, platform, stranger } from '../../../../contracts/test/chain/registry.ts';
import { answered } from '../../../../test/fakes/rpc/rpc-answers.ts';
import { RpcRefusal } from '../../../../test/fakes/rpc/rpc-call.ts';
import { RpcProxy, type RpcRule } from '../../../../test/fakes/rpc/rpc-proxy.ts';
import { cidOfDigest } from '../../../verifier/src/reference/content-cid.ts';
import { InterruptedError } from '../../src/errors.ts';
import { directoryWith, nowhere, run } from '../run.ts';
import { attestAs, chainId, linesOf, mine, newFile, registry, undoTo, useRegistry } from './watching.ts';

useRegistry();

type More = Parameters<typeof run>[2];

/** Watches the author's name, once unless told otherwise, without the service. */
function watch(argv: readonly string[] = [], more: More = {}) {
  const given = (name: string, values: readonly string[]) => (argv.includes(name) ? [] : [name, ...values]);
  const always = [
    ...given('--authority', [author]),
    ...given('--chain', [String(chainId)]),
    ...given('--rpc', [registry.chain.rpcUrl]),
  ];
  return run(nowhere, ['watch', ...always, ...argv], { variables: {}, ...more });
}
const once = (argv: readonly string[] = [], more?: More) => watch(['--once', ...argv], more);
/** A watch has begun, and nothing has happened. */
async function begun(): Promise<string> {
  const cursor = newFile();
  await mine(5);
  await once(['--cursor', cursor]);
  return cursor;
}

test('tells what was done in the authority’s name, in its order, and of nobody else', async () => {
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
  expect(error).toContain(`watching every registry on chain ${chainId} from block 1 on`);
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
    { told: 7 },
  ]);
});

test('says it in words that fit a terminal', async () => {
  await registry.mine(author, 'delegate', [stranger]);
  await mine(3);
  const { out } = await once(['--since', '1']);
  expect(out).toMatch(/^\d{4}-\S+Z {2}seen: a delegation\n {2}to {11}0x/);
  expect(out).toContain('\n  block        ');
  expect(out).toMatch(/\n1 told; all is read up to the final block \d+\n$/);
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(82);
});

test('what is not final is told once, and told again only when it is undone', async () => {
  const { client } = registry.chain;
  const cursor = await begun();
  const snapshot = await client.snapshot();
  await registry.mine(author, 'delegate', [stranger]);
  const looks = async () => linesOf((await once(['--cursor', cursor, '--json'])).out).slice(0, -1);
  expect(await looks()).toMatchObject([{ kind: 'delegation', state: 'notFinal' }]);
  expect(await looks()).toEqual([]);
  await undoTo(snapshot, 1);
  expect(await looks()).toMatchObject([{ kind: 'delegation', state: 'undone', delegateAddress: stranger }]);
  await registry.mine(author, 'delegate', [stranger]);
  expect(await once(['--cursor', cursor])).toMatchObject({
    exitCode: 4,
    out: expect.stringContaining('not final'),
  });
  await mine(5);
  const end = await once(['--cursor', cursor]);
  expect(end).toMatchObject({ exitCode: 0, out: expect.stringContaining('nothing was told') });
  expect(JSON.parse(readFileSync(cursor, 'utf8')).unfinal).toEqual([]);
});

test.each(['{}', '[]', 'x', '{"version":1,"block":{"number":1,"hash":"0x"},"unfinal":[1]}'])(
  'a file that is no cursor, %s, is left as it is',
  async (content) => {
    const cursor = directoryWith({ 'watch.json': content })('watch.json');
    expect((await once(['--cursor', cursor])).exitCode).toBe(2);
    expect(readFileSync(cursor, 'utf8')).toBe(content);
  },
);

test('a chain that has replaced what was final is not watched on in silence', async () => {
  const cursor = await begun();
  const kept = JSON.parse(readFileSync(cursor, 'utf8'));
  writeFileSync(cursor, JSON.stringify({ ...kept, block: { ...kept.block, hash: `0x${'12'.repeat(32)}` } }));
  const { exitCode, error } = await once(['--cursor', cursor]);
  expect(exitCode).toBe(1);
  expect(error).toContain('the chain has another block');
});

/** A provider that fails as the rules say. */
async function behind(...rules: readonly RpcRule[]): Promise<RpcProxy> {
  const proxy = await RpcProxy.start(registry.chain.rpcUrl, rules);
  onTestFinished(() => proxy.stop());
  return proxy;
}

test('tells each member of a batch, and each link of a call', async () => {
  const member = { authority: author, salt: hash(99), quoteRoot: hash(2) };
  const members = [1, 2, 3].map((n) => ({ ...member, digest: hash(n) }));
  await registry.mine(author, 'delegate', [platform]);
  const { timestamp } = await registry.mine(platform, 'commit', [batchHash(platform, members)]);
  await registry.setNextTimestamp(timestamp + 60n);
  await registry.mine(platform, 'revealBatch', batchArguments(members));
  await registry.mine(platform, 'setChildIpfsHashes', [
    [1n, 2n],
    [hash(2), hash(3)],
  ]);
  await mine(3);
  const [, ...events] = linesOf((await once(['--since', '0', '--json'])).out);
  expect(events.map(({ kind, attestationIndex }) => [kind, attestationIndex])).toEqual([
    ...[1, 2, 3].map((index) => ['attestation', index]),
    ...[1, 2].map((index) => ['link', index]),
    [undefined, undefined],
  ]);
});

test('a node that does not know what is final has the depth that is given', async () => {
  await registry.mine(author, 'delegate', [stranger]);
  await mine(10);
  const noTag = answered(['eth_getBlockByNumber'], ({ method, params = [] }, ask) => {
    if (params[0] === 'finalized') throw new RpcRefusal({ code: -32_602, message: 'unknown block tag' });
    return ask(method, params);
  });
  const proxy = await behind(noTag);
  const stateAt = async (depth: string) => {
    const argv = ['--since', '0', '--json', '--rpc', proxy.url, '--final-depth', depth];
    return linesOf((await once(argv)).out)[0]?.state;
  };
  expect([await stateAt('5'), await stateAt('64')]).toEqual(['final', 'notFinal']);
});

/** A watch that goes on until it is interrupted, and what it has said on standard error. */
function watchOn(argv: readonly string[]) {
  const interruption = new AbortController();
  const notes: string[] = [];
  const ended = watch([...argv, '--interval', '0.05'], {
    signal: interruption.signal,
    errors: { write: (text: string) => void notes.push(text) },
  });
  return { ended, notes, interrupt: () => interruption.abort(new InterruptedError(130)) };
}

test('goes on until it is interrupted, over a provider that fails for a while, and ends where it is', async () => {
  const cursor = newFile();
  const down: RpcRule = { methods: ['eth_getLogs'], times: 2, fault: { kind: 'refused', status: 400 } };
  await mine(5);
  const proxy = await behind();
  proxy.set(down);
  const { ended, notes, interrupt } = watchOn(['--cursor', cursor, '--rpc', proxy.url]);
  await expect.poll(() => notes.join('')).toContain('looking every 0.05 s; Ctrl-C ends');
  await registry.mine(author, 'delegate', [stranger]);
  const unfinal = () => (existsSync(cursor) ? JSON.parse(readFileSync(cursor, 'utf8')).unfinal : []);
  await expect.poll(unfinal, { timeout: 20_000 }).toHaveLength(1);
  interrupt();
  const { exitCode, out } = await ended;
  expect(exitCode).toBe(4);
  expect(out).toContain('seen: a delegation');
  expect(out).toContain('1 told');
  expect((await once(['--cursor', cursor])).exitCode).toBe(0);
});

test.each([
  [['--authority', '0x12'], '--authority must be an address'],
  [['--registry', stranger], 'is no registry that is known here'],
  [['--since', 'yesterday'], '--since is a block number or a time'],
  [['--rpc', 'ftp://x'], 'must be an http or https URL'],
  [['--interval', '0'], 'number of seconds'],
])('exits 2 for %j', async (argv, words) => {
  const { exitCode, out, error } = await once(argv);
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
  expect(error).toContain(words);
});

test('takes --since as a time, and no cursor of another watch', async () => {
  await registry.mine(author, 'delegate', [stranger]);
  const { timestamp } = await registry.chain.client.getBlock();
  await registry.chain.client.increaseTime({ seconds: 3600 });
  await mine(5);
  const at = (seconds: number) => new Date((Number(timestamp) + seconds) * 1000).toISOString();
  expect((await once(['--since', at(0)])).exitCode).toBe(4);
  expect((await once(['--since', at(1)])).exitCode).toBe(0);
  const cursor = newFile();
  await once(['--cursor', cursor]);
  const both = await once(['--cursor', cursor, '--since', '1']);
  expect(both).toMatchObject({ exitCode: 2, error: expect.stringContaining('leave out --since') });
  const elsewhere = await once(['--cursor', cursor, '--authority', other]);
  expect(elsewhere).toMatchObject({ exitCode: 2, error: expect.stringContaining('of another watch') });
});

test('two watches do not keep their places in one file: the second to write ends, and says why', async () => {
  const cursor = newFile();
  await mine(5);
  const { ended, notes } = watchOn(['--cursor', cursor]);
  await expect.poll(() => existsSync(cursor)).toBe(true);
  await mine(5);
  // Another one goes on from the same file, with an older place.
  const other = JSON.parse(readFileSync(cursor, 'utf8'));
  writeFileSync(cursor, JSON.stringify({ ...other, block: { ...other.block, number: 1 } }));
  const left = readFileSync(cursor, 'utf8');
  expect((await ended).exitCode).toBe(2);
  expect(notes.join('')).toContain('another watch keeps its place in');
  expect(readFileSync(cursor, 'utf8')).toBe(left);
  expect(readdirSync(dirname(cursor))).toEqual(['watch.json']);
});
