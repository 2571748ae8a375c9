import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deployRegistry } from 'imprimatur-contracts/deploy/deploy-registry';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { author, RegistryFixture, startRegistry, stranger } from '../../contracts/test/chain/registry.ts';
import { directoryWith, run } from '../../packages/cli/test/run.ts';
import { answeredBy, laggingRule } from '../fakes/rpc/rpc-answers.ts';
import { RpcProxy } from '../fakes/rpc/rpc-proxy.ts';

let registry: RegistryFixture;
let laggingNode: RpcProxy;
let mixed: RpcProxy;
const behind = 20;
/** Nodes return the logs that they have, as if missing blocks had none. */
const logsBehind = answeredBy(['eth_getLogs'], async ({ method, params = [] }, request) => {
  const head = Number(await request('eth_blockNumber')) - behind;
  const logs = (await request(method, params)) as readonly { blockNumber: string }[];
  return logs.filter(({ blockNumber }) => Number(blockNumber) <= head);
});
/** One node of the provider returns the newest block, and another, which lacks it, answers the next request. */
const blocksBehind = answeredBy(['eth_getBlockByNumber'], async ({ method, params = [] }, request) => {
  const head = Number(await request('eth_blockNumber')) - behind;
  return Number(params[0]) > head ? null : request(method, params);
});
beforeAll(async () => {
  // With this option, blocks are final when they are two deep.
  registry = await startRegistry(['--slots-in-an-epoch', '1']);
  laggingNode = await RpcProxy.start(registry.chain.rpcUrl, [logsBehind, laggingRule(behind)]);
  mixed = await RpcProxy.start(registry.chain.rpcUrl, [logsBehind, blocksBehind]);
});
afterAll(async () => {
  await laggingNode.stop();
  await mixed.stop();
  await registry.stop();
});

const nowhere = { url: 'http://127.0.0.1:1', received: [] };

/** Runs `watch` once. @returns its exit code, and the events that it reported, each with its registry */
async function runWatch(cursor: string, rpcUrl: string) {
  const place = ['--authority', author, '--chain', '31337', '--rpc', rpcUrl, '--cursor', cursor];
  const { exitCode, out } = await run(nowhere, ['watch', '--once', '--json', ...place], { variables: {} });
  const lines = out.trim().split('\n');
  const events = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind);
  return { exitCode, events: events.map(({ kind, registryAddress }) => [kind, registryAddress]) };
}

test('row 49: a watch misses no event when a provider is behind the watch’s position, also on another registry', async () => {
  const { client } = registry.chain;
  const cursor = join(directoryWith({})('.'), 'watch.json');
  const placeNow = () => JSON.parse(readFileSync(cursor, 'utf8'));
  const second = await deployRegistry({ publicClient: client, walletClient: client, revealDelaySeconds: 61 });
  await client.mine({ blocks: 30 });
  await runWatch(cursor, registry.chain.rpcUrl);
  expect(existsSync(cursor)).toBe(true);
  const { block } = placeNow();

  // These events are in blocks that the provider lacks.
  const other = new RegistryFixture(registry.chain, second);
  await registry.mine(author, 'delegate', [stranger]);
  await other.mine(author, 'delegate', [stranger]);
  await client.mine({ blocks: 5 });
  expect(await runWatch(cursor, laggingNode.url)).toEqual({ exitCode: 0, events: [] });
  expect(placeNow()).toMatchObject({ block, provisional: [] });
  expect(await runWatch(cursor, mixed.url)).toEqual({ exitCode: 1, events: [] });
  expect(placeNow()).toMatchObject({ block, provisional: [] });

  expect(await runWatch(cursor, registry.chain.rpcUrl)).toEqual({
    exitCode: 4,
    events: [
      ['delegation', registry.address],
      ['delegation', second],
    ],
  });
  await client.mine({ blocks: 25 });
  expect(await runWatch(cursor, laggingNode.url)).toEqual({ exitCode: 0, events: [] });
});
