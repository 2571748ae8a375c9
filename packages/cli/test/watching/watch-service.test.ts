import { readFileSync } from 'node:fs';
import type { Attestation } from 'imprimatur-client';
import { deployRegistry } from 'imprimatur-contracts/deploy/deploy-registry';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { attest, draft, hash } from '../../../../contracts/test/chain/attest.ts';
import { author, platform, RegistryFixture, stranger } from '../../../../contracts/test/chain/registry.ts';
import { wrongChain } from '../../../../test/fakes/rpc/rpc-answers.ts';
import { RpcProxy } from '../../../../test/fakes/rpc/rpc-proxy.ts';
import { attestation, confirmed, id, serve } from '../../../client/test/fake-api.ts';
import { cidOfDigest } from '../../../verifier/src/reference/content-cid.ts';
import { nowhere, run } from '../run.ts';
import {
  attestAs,
  chainId,
  lastTransaction,
  linesOf,
  mine,
  newFile,
  registry,
  useRegistry,
} from './watching.ts';

/** What the service answers with; a test changes it while a watch runs. */
let listed: readonly Attestation[];
let isDown: boolean;

useRegistry();
beforeEach(() => {
  [listed, isDown] = [[], false];
});

/** Watches the author's name once, with the service. */
async function watch(...argv: string[]) {
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
  return run(nowhere, ['watch', '--once', '--authority', author, ...rpc, ...argv], { variables });
}

const once = (...argv: string[]) => watch('--json', ...argv);
/** The author has delegated to the platform, and a watch has seen it. */
async function watchedFrom(): Promise<string> {
  await registry.mine(author, 'delegate', [platform]);
  await mine(3);
  const cursor = newFile();
  await once('--cursor', cursor);
  return cursor;
}

/** A row of the service's list, of a content on the registry. */
const row = (n: number, fields: Partial<Attestation> = {}) =>
  attestation({
    id: id.replace(/1$/, String(n)),
    ...{ contentCid: cidOfDigest(hash(n)), registryAddress: registry.address, ...fields },
  });

test('the service’s own work is not told, and what others did in the same way is', async () => {
  await registry.mine(author, 'delegate', [platform]);
  const first = row(1, { ...confirmed, revealTxHash: await attestAs(platform, 1), attestationIndex: 1 });
  const second = row(2, { ...confirmed, revealTxHash: await attestAs(platform, 2), attestationIndex: 2 });
  await registry.mine(platform, 'setChildIpfsHash', [1n, hash(2)]);
  const childLinkTxHash = await lastTransaction();
  // With the service's key, but not by the service; by the authority; and one that the service only found on the chain.
  await attestAs(platform, 3);
  await registry.mine(platform, 'setChildIpfsHash', [2n, hash(3)]);
  await attestAs(author, 4);
  // The same link as the service's, made once more.
  await registry.mine(author, 'setChildIpfsHash', [1n, hash(2)]);
  await registry.mine(author, 'delegate', [stranger]);
  await mine(3);
  const linked = { ...first, childAttestationId: second.id, childLinkTxHash };
  listed = [row(5), row(4, { status: 'confirmed', attestationIndex: 4 }), second, linked];
  const { exitCode, out, error } = await once('--since', '0');
  expect(error).toContain('watching every registry');
  expect(exitCode).toBe(4);
  expect(linesOf(out)).toMatchObject([
    // The service delegates for nobody: the authority did, or who has its key.
    { by: 'other', kind: 'delegation', delegateAddress: platform },
    { by: 'other', kind: 'attestation', attestationIndex: 3 },
    { by: 'other', kind: 'link', attestationIndex: 2, childCid: cidOfDigest(hash(3)) },
    { by: 'other', kind: 'attestation', attestationIndex: 4 },
    { by: 'other', kind: 'link', attestationIndex: 1, childCid: cidOfDigest(hash(2)) },
    { by: 'other', kind: 'delegation', delegateAddress: stranger },
    { told: 6 },
  ]);
});

test('the public registry, which has no events, is said not to be watched, and refused where it is named', async () => {
  await mine(5);
  const proxy = await RpcProxy.start(registry.chain.rpcUrl, [wrongChain(8453)]);
  onTestFinished(() => proxy.stop());
  const argv = ['--chain', '8453', '--rpc', proxy.url];
  const every = await once(...argv);
  expect(every).toMatchObject({ exitCode: 0, error: expect.stringContaining('there is not watched') });
  const publicRegistry = '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381';
  expect(linesOf(every.out)).toMatchObject([{ told: 0, notWatched: [publicRegistry] }]);
  const inWords = await watch(...argv);
  expect(inWords.out).toContain(`not watched: the public registry, ${publicRegistry}`);
  const named = await once(...argv, '--registry', publicRegistry);
  expect(named).toMatchObject({ exitCode: 2, error: expect.stringContaining('which tells no events') });
});

test('what the service has under way is not told, and is the service’s where that names the transaction', async () => {
  const cursor = await watchedFrom();
  const hashes = [await attestAs(platform, 1), await attestAs(platform, 2)] as const;
  await registry.mine(platform, 'setChildIpfsHash', [1n, hash(2)]);
  const childLinkTxHash = await lastTransaction();
  await mine(3);
  listed = [row(2, { status: 'committed' }), row(1, { status: 'committed', childAttestationId: row(2).id })];
  const told = { exitCode: 0, error: expect.stringContaining('3 more may be') };
  expect(await once('--cursor', cursor)).toMatchObject(told);
  expect(JSON.parse(readFileSync(cursor, 'utf8')).undecided).toHaveLength(3);
  listed = [
    row(2, { ...confirmed, revealTxHash: hashes[1] }),
    row(1, { ...confirmed, revealTxHash: hashes[0], childAttestationId: row(2).id, childLinkTxHash }),
  ];
  expect(await once('--cursor', cursor)).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(readFileSync(cursor, 'utf8')).undecided).toEqual([]);
});

/** Another registry on the chain, with another reveal delay, as anyone can deploy it; the author has delegated on it already. */
async function anotherRegistry(): Promise<RegistryFixture> {
  const { client } = registry.chain;
  const address = await deployRegistry({
    publicClient: client,
    walletClient: client,
    revealDelaySeconds: 61,
  });
  const fixture = new RegistryFixture(registry.chain, address);
  await fixture.mine(author, 'delegate', [stranger]);
  await mine(3);
  return fixture;
}

test('what is done on a registry that the service never used is told', async () => {
  const cursor = newFile();
  await mine(5);
  await once('--cursor', cursor);
  const second = await anotherRegistry();
  await attest(second, draft(author, { digest: hash(1) }), 61n);
  await second.mine(author, 'revokeAttestation', [1n]);
  await mine(3);
  const registryAddress = second.address;
  const { out } = await once('--cursor', cursor);
  expect(linesOf(out)).toMatchObject([
    { by: 'other', kind: 'delegation', registryAddress, delegateAddress: stranger },
    { by: 'other', kind: 'attestation', registryAddress, contentCid: cidOfDigest(hash(1)) },
    { by: 'other', kind: 'revocation', registryAddress, attestationIndex: 1 },
    { told: 3 },
  ]);
  expect(await once('--cursor', cursor)).toMatchObject({ exitCode: 0 });
});

test('a watch of one registry goes on with every one where none is named any more, and says so', async () => {
  const cursor = newFile();
  await attestAs(author, 1);
  await mine(5);
  await once('--cursor', cursor, '--registry', registry.address);
  const { block } = JSON.parse(readFileSync(cursor, 'utf8'));
  const second = await anotherRegistry();
  const { out, error } = await once('--cursor', cursor);
  expect(linesOf(out)).toMatchObject([{ registryAddress: second.address }, { told: 1 }]);
  expect(error).toContain(`up to block ${block.number} only ${registry.address} was watched`);
  const next = await once('--cursor', cursor);
  expect(next.exitCode).toBe(0);
  expect(next.error).not.toContain('was watched');
});

test('while the service cannot be asked, what is certain is told, and the rest when it answers again', async () => {
  const cursor = await watchedFrom();
  await registry.mine(author, 'delegate', [platform]);
  const revealTxHash = await attestAs(platform, 1);
  await attestAs(author, 2);
  await mine(3);
  isDown = true;
  const argv = ['--chain', String(chainId), '--cursor', cursor];
  const error = expect.stringContaining('the service answered 501');
  const seen = await once(...argv);
  expect(seen).toMatchObject({ exitCode: 4, error });
  expect(linesOf(seen.out)).toMatchObject([{ by: 'other', kind: 'delegation' }, { told: 1 }]);
  expect(await once(...argv)).toMatchObject({ exitCode: 1, error });
  isDown = false;
  listed = [row(1, { ...confirmed, revealTxHash })];
  const told = linesOf((await once('--cursor', cursor)).out);
  expect(told).toMatchObject([{ by: 'other', kind: 'attestation', attestationIndex: 2 }, { told: 1 }]);
});
