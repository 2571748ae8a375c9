import { expect, test } from 'vitest';
import { composeChains } from '../../../functions/adapters/compose-chains.ts';
import { workflowLimits } from '../../../functions/adapters/compose-services.ts';
import { ChainUnreachableError } from '../../../functions/domain/errors.ts';
import { settingsSchema } from '../../../functions/domain/settings.ts';
import { FakeParameters } from '../../fakes/aws/fake-parameters.ts';
import { FakeLog } from '../../fakes/ports/fake-log.ts';
import { chainId, registryAddress, startHealthy, unusedUrl } from './chain/providers.ts';

const variables = { SETTINGS_CHANGES: '/S/settings-changes', RPC_URLS_PATH: '/S/rpc-urls' };
const urlsName = `/S/rpc-urls/${chainId}`;
const chain = { chainId, name: 'Local', registryAddress, maxFeePerGasGwei: 50, dailyFeeBudget: 1 };
const deployed = settingsSchema.parse({ chains: [chain, { ...chain, chainId: 5 }] });
const limits = { ...workflowLimits, retries: 0 };

/** Makes the chains of a function that stays warm, with a clock that the test moves. */
function compose() {
  const parameters = new FakeParameters();
  const log = new FakeLog();
  const time = { now: 0 };
  const options = { variables, deployed, limits, log, ssm: parameters.client, now: () => time.now };
  const chains = composeChains(options);
  const later = async (seconds: number) => {
    time.now += seconds * 1000;
    await chains.refresh();
    return chains.settings.chains[0];
  };
  return { parameters, log, chains, later };
}

const changes = (fields: object) => JSON.stringify({ chains: { [chainId]: fields } });

test('the deployed settings apply while nothing is changed', async () => {
  const { chains, log } = compose();
  await chains.refresh();
  expect(chains.settings).toEqual(deployed);
  expect(chains.chain(chainId).settingsUnread).toBe(false);
  expect(log.lines).toEqual([]);
});

test('a change by operators applies to its chain within a minute, and so does its removal', async () => {
  const { parameters, chains, later } = compose();
  await chains.refresh();
  parameters.put(variables.SETTINGS_CHANGES, changes({ maxFeePerGasGwei: 300, dailyFeeBudget: 4 }));
  expect(await later(50)).toMatchObject({ maxFeePerGasGwei: 300, dailyFeeBudget: 4 });
  expect(chains.chain(chainId).settings).toEqual(chains.settings.chains[0]);
  expect(chains.settings.chains[1]).toEqual(deployed.chains[1]);
  parameters.put(variables.SETTINGS_CHANGES, changes({}));
  await later(50);
  expect(chains.settings).toEqual(deployed);
});

test.each([
  ['no JSON', '{"chains":'],
  ['other JSON', '{"31337":{"maxFeePerGasGwei":1}}'],
  ['a value that the schema refuses', changes({ maxFeePerGasGwei: 0 })],
  ['a string instead of a number', changes({ dailyFeeBudget: '4' })],
])(
  'the last settings stay in use when the parameter contains %s, and a log line reports it',
  async (_, broken) => {
    const { parameters, log, later } = compose();
    parameters.put(variables.SETTINGS_CHANGES, changes({ maxFeePerGasGwei: 300 }));
    await later(0);
    parameters.put(variables.SETTINGS_CHANGES, broken);
    expect(await later(50)).toMatchObject({ maxFeePerGasGwei: 300 });
    expect(log.messages('error')).toEqual(['settings unreadable']);
    parameters.put(variables.SETTINGS_CHANGES, changes({ maxFeePerGasGwei: 200 }));
    expect(await later(10)).toMatchObject({ maxFeePerGasGwei: 200 });
  },
);

test('when the first read of changes fails, the deployed settings apply but nothing may be signed, and a log line reports it', async () => {
  const { parameters, chains, log, later } = compose();
  parameters.put(variables.SETTINGS_CHANGES, changes({ maxFeePerGasGwei: 300 }));
  parameters.refusal = 'ThrottlingException';
  await later(0);
  expect(chains.settings).toEqual(deployed);
  expect(chains.chain(chainId).settingsUnread).toBe(true);
  expect(log.messages('error')).toEqual(['settings unreadable']);
  parameters.refusal = undefined;
  expect(await later(10)).toMatchObject({ maxFeePerGasGwei: 300 });
  expect(chains.chain(chainId).settingsUnread).toBe(false);
  parameters.refusal = 'ThrottlingException';
  await later(60);
  expect(chains.chain(chainId).settingsUnread).toBe(false);
});

test('changes apply only to settings that this version knows, of chains of the deployment', async () => {
  const { parameters, chains, log, later } = compose();
  parameters.put(variables.SETTINGS_CHANGES, changes({ maxFeePerGasGwei: 300, newerSetting: [1] }));
  expect(await later(0)).toEqual({ ...deployed.chains[0], maxFeePerGasGwei: 300 });
  parameters.put(variables.SETTINGS_CHANGES, JSON.stringify({ chains: { 99: { maxFeePerGasGwei: 3 } } }));
  await later(60);
  expect(chains.settings).toEqual(deployed);
  expect(log.lines).toEqual([]);
});

test('new RPC URLs are used within a minute, and decrypted only when they change', async () => {
  const { parameters, chains, later } = compose();
  const [first, second] = [await startHealthy(), await startHealthy()];
  parameters.put(urlsName, first.url, 'key');
  for (let minute = 0; minute < 3; minute++) {
    await chains.chain(chainId).head();
    await later(60);
  }
  const countReads = (name: string) => parameters.reads.filter((read) => read === name).length;
  expect([countReads(urlsName), countReads(`${urlsName}+`)]).toEqual([3, 1]);
  const requestCount = first.server.requests.length;
  parameters.put(urlsName, second.url, 'key');
  await chains.chain(chainId).head();
  expect([first.server.requests.length, second.server.requests.length]).toEqual([requestCount, 2]);
});

test('RPC URLs are read again when none answers', async () => {
  const { parameters, chains, later } = compose();
  parameters.put(urlsName, await unusedUrl(), 'key');
  await expect(chains.chain(chainId).head()).rejects.toThrow(ChainUnreachableError);
  parameters.put(urlsName, (await startHealthy()).url, 'key');
  await later(10);
  expect(await chains.chain(chainId).head()).toEqual({ number: 16, timestamp: 32 });
});

test.each([
  ['refused', (parameters: FakeParameters) => Object.assign(parameters, { refusal: 'ThrottlingException' })],
  ['empty', (parameters: FakeParameters) => parameters.put(urlsName, ' ', 'key')],
  ['not a URL', (parameters: FakeParameters) => parameters.put(urlsName, 'rpc.example/secret', 'key')],
  ['deleted', (parameters: FakeParameters) => parameters.stored.delete(urlsName)],
])(
  'the last RPC URLs stay in use when the parameter is %s, and a log line reports it',
  async (_, breakParameter) => {
    const { parameters, chains, log, later } = compose();
    parameters.put(urlsName, (await startHealthy()).url, 'key');
    await chains.chain(chainId).head();
    breakParameter(parameters);
    await later(60);
    expect(await chains.chain(chainId).head()).toEqual({ number: 16, timestamp: 32 });
    expect(log.messages('error')).toContain('settings unreadable');
    expect(JSON.stringify(log.lines)).not.toContain('secret');
  },
);
