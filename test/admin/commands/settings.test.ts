import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RpcServer } from '../../fakes/rpc/rpc-server.ts';
import { FakeDeployment, run, runJson } from './fake-deployment.ts';

const chain = ['--chain', '31337'];
const changesName = '/S/settings-changes';
const urlsName = '/S/rpc-urls/31337';

const storedChanges = ({ parameters }: FakeDeployment) =>
  JSON.parse(parameters.stored.get(changesName)?.value ?? 'null');

/** Everything printed or in the tables, which must not contain an RPC URL. */
const shownBy = async (deployment: FakeDeployment) => {
  const { out } = await run(deployment, 'settings', 'show');
  const json = JSON.stringify(await runJson(deployment, 'settings', 'show'));
  return out + json + JSON.stringify(deployment.records.all());
};

function fileOf(...urls: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'imprimatur-urls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'urls.txt'), urls.join('\n'));
  return join(folder, 'urls.txt');
}

async function provider(chainId: number): Promise<string> {
  const results: Record<string, string> = {
    eth_chainId: `0x${chainId.toString(16)}`,
    eth_blockNumber: '0x1',
  };
  const server = new RpcServer(({ method }) => ({ result: results[method] ?? null }));
  onTestFinished(() => server.stop());
  return server.start();
}

test('`settings set` changes one chain, prints the settings in force, and writes an audit entry', async () => {
  const deployment = new FakeDeployment();
  const set = (...changes: string[]) => runJson(deployment, 'settings', 'set', ...chain, ...changes);
  expect(await set('maxFeePerGasGwei=300', 'dailyFeeBudget=0.5')).toEqual({
    chainId: 31337,
    inForce: { maxFeePerGasGwei: 300, dailyFeeBudget: 0.5 },
  });
  deployment.time = new Date('2026-01-03T00:00:00.000Z');
  await set('maxFeePerGasGwei=400');
  expect(storedChanges(deployment)).toEqual({
    chains: { 31337: { maxFeePerGasGwei: 400, dailyFeeBudget: 0.5 } },
  });
  expect((await deployment.settings()).chains[0]).toMatchObject({
    maxFeePerGasGwei: 400,
    dailyFeeBudget: 0.5,
  });
  const { entries } = await runJson(deployment, 'settings', 'show');
  expect(entries).toMatchObject([
    { action: 'settings set', by: 'ada@desk', details: { chainId: 31337, maxFeePerGasGwei: 300 } },
    { at: '2026-01-03T00:00:00.000Z', details: { chainId: 31337, maxFeePerGasGwei: 400 } },
  ]);
});

test('`settings set NAME=default` restores the deployed value', async () => {
  const deployment = new FakeDeployment();
  const set = (...changes: string[]) => runJson(deployment, 'settings', 'set', ...chain, ...changes);
  await set('maxFeePerGasGwei=300', 'dailyFeeBudget=0.5');
  expect(await set('dailyFeeBudget=default')).toMatchObject({ inForce: { dailyFeeBudget: null } });
  await set('maxFeePerGasGwei=default');
  expect(storedChanges(deployment)).toEqual({ chains: {} });
  expect(await deployment.settings()).toEqual(await deployment.deployedSettings());
});

test('`settings show` lists the differences from the deployment', async () => {
  const deployment = new FakeDeployment();
  expect((await run(deployment, 'settings', 'show')).out).toContain('\nAll settings are as deployed.\n');
  await run(deployment, 'settings', 'set', ...chain, 'maxFeePerGasGwei=300');
  const { out } = await run(deployment, 'settings', 'show');
  expect(out).toMatch(
    /^CHAIN {2}SETTING +DEPLOYED {2}IN FORCE\n31337 {2}maxFeePerGasGwei +200 +300 +changed\n/,
  );
  expect(out).toContain('1 changed since the deployment.');
  expect(out).toMatch(
    /2026-01-02T03:04:05.678Z {2}ada@desk {2}\{"chainId":31337,"maxFeePerGasGwei":300\}\n$/,
  );
});

test.each([
  [['maxFeePerGasGwei=0'], 1, 'maxFeePerGasGwei: '],
  [['confirmations=1'], 2, 'confirmations=1 is not NAME=VALUE'],
  [['maxFeePerGasGwei=-3'], 2, 'maxFeePerGasGwei=-3 is not NAME=VALUE'],
  [['maxFeePerGasGwei'], 2, 'is not NAME=VALUE or NAME=default'],
  [[], 2, 'pass NAME=VALUE or --rpc-urls'],
])('`settings set` rejects %j and stores nothing', async (changes, exitCode, words) => {
  const deployment = new FakeDeployment();
  const refused = await run(deployment, 'settings', 'set', ...chain, ...changes);
  expect([refused.exitCode, refused.error]).toEqual([exitCode, expect.stringContaining(words)]);
  expect(deployment.records.all()).toEqual([]);
  expect(deployment.parameters.stored.size).toBe(0);
});

test('`settings set` replaces unreadable changes only with --replace-unreadable', async () => {
  const deployment = new FakeDeployment();
  const unreadable = '{"chains":{"31337":{"maxFeePerGasGwei":{"base":300}}}}';
  deployment.parameters.put(changesName, unreadable);
  const budget = ['settings', 'set', ...chain, 'dailyFeeBudget=1'];
  for (const argv of [['settings', 'show'], budget]) {
    const refused = await run(deployment, ...argv);
    const words = 'or discard its changes: `settings set --replace-unreadable`';
    expect([refused.exitCode, refused.error]).toEqual([1, expect.stringContaining(words)]);
  }
  expect(deployment.parameters.stored.get(changesName)?.value).toBe(unreadable);
  expect(deployment.records.all()).toEqual([]);
  expect(await deployment.settings()).toEqual(await deployment.deployedSettings());
  expect((await run(deployment, ...budget, '--replace-unreadable')).exitCode).toBe(0);
  expect(storedChanges(deployment)).toEqual({ chains: { 31337: { dailyFeeBudget: 1 } } });
});

test('`settings set` keeps unknown changes of a newer version', async () => {
  const deployment = new FakeDeployment();
  const newer = { surgeCapGwei: [1, 2], dailyFeeBudget: 3 };
  const others = { 5: { surgeCapGwei: 7 } };
  deployment.parameters.put(
    changesName,
    JSON.stringify({ chains: { 31337: newer, ...others }, pausedUntil: 'never' }),
  );
  await runJson(deployment, 'settings', 'set', ...chain, 'maxFeePerGasGwei=300', 'dailyFeeBudget=default');
  expect(storedChanges(deployment)).toEqual({
    chains: { 31337: { surgeCapGwei: [1, 2], maxFeePerGasGwei: 300 }, ...others },
    pausedUntil: 'never',
  });
  const [deployed] = (await deployment.deployedSettings()).chains;
  expect((await deployment.settings()).chains[0]).toEqual({ ...deployed, maxFeePerGasGwei: 300 });
});

test('`settings set` reports a concurrent change', async () => {
  const deployment = new FakeDeployment();
  const { changes } = deployment.settingsStore;
  deployment.settingsStore.changes = async () => {
    const read = await changes();
    deployment.parameters.put(changesName, '{"chains":{}}');
    return read;
  };
  const { exitCode, error } = await run(deployment, 'settings', 'set', ...chain, 'dailyFeeBudget=1');
  expect([exitCode, error]).toEqual([1, expect.stringContaining('another operator changed settings')]);
});

test('`settings set --rpc-urls` stores the URLs with the same encryption key, and prints none', async () => {
  const deployment = new FakeDeployment();
  deployment.parameters.put(urlsName, 'https://old.example/key', 'alias/ours');
  const path = fileOf(await provider(31337), 'http://127.0.0.1:1/secret-key');
  const { exitCode, out } = await run(deployment, 'settings', 'set', ...chain, '--rpc-urls', path);
  expect([exitCode, out]).toEqual([0, expect.stringContaining('2, 1 responding now')]);
  expect(deployment.parameters.stored.get(urlsName)).toMatchObject({
    value: expect.stringContaining('secret-key'),
    keyId: 'alias/ours',
  });
  const shown = await shownBy(deployment);
  expect(shown).toContain('"rpcUrls":2');
  expect(out + shown).not.toMatch(/secret|127\.0\.0\.1|old\.example/);
});

test.each([
  [
    'serve another chain',
    async () => [await provider(31337), await provider(5)],
    'provider 2 of 2 does not serve',
  ],
  ['do not answer', async () => ['http://127.0.0.1:1/secret-key'], 'no provider responds for chain 31337'],
  ['are not http URLs', async () => ['rpc.example/secret-key'], 'contains something that is not an http URL'],
])('`settings set` rejects RPC URLs that %s, and prints none', async (_, urls, words) => {
  const deployment = new FakeDeployment();
  const path = fileOf(...(await urls()));
  const { exitCode, error } = await run(deployment, 'settings', 'set', ...chain, '--rpc-urls', path);
  expect(exitCode).toBeGreaterThan(0);
  expect(error).toContain(words);
  expect(error).not.toMatch(/secret|127\.0\.0\.1|rpc\.example/);
  expect([deployment.records.all(), deployment.parameters.stored.size]).toEqual([[], 0]);
});
