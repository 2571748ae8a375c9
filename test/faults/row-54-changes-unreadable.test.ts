import { DeleteParameterCommand, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { composeChains } from '../../functions/adapters/compose-chains.ts';
import { workflowLimits } from '../../functions/adapters/compose-services.ts';
import { clientOptions } from '../../local/emulator/aws-endpoint.ts';
import { AwsFaults } from '../fakes/aws/aws-faults.ts';
import { promptRetries } from '../fakes/aws/aws-retries.ts';
import { FakeLog } from '../fakes/ports/fake-log.ts';
import { startAnvil } from '../fakes/rpc/anvil.ts';
import { chainId, makeWorld } from '../fakes/world/world.ts';

const variables = { SETTINGS_CHANGES: '/row-54/settings-changes', RPC_URLS_PATH: '/row-54/rpc-urls' };
const urlsName = `${variables.RPC_URLS_PATH}/${chainId}`;
const deployed = makeWorld({ maxFeePerGasGwei: 50 }).settings;
const maxAttempts = 2;

let anvil: Awaited<ReturnType<typeof startAnvil>>;
let operator: SSMClient;

beforeAll(async () => {
  anvil = await startAnvil();
  operator = new SSMClient(clientOptions(inject('emulator')));
});

afterAll(async () => {
  await anvil.stop();
  operator.destroy();
});

const put = (Name: string, Value: string, Type: 'String' | 'SecureString') =>
  operator.send(new PutParameterCommand({ Name, Value, Type, Overwrite: true }));

const capOf = (gwei: unknown) => JSON.stringify({ chains: { [chainId]: { maxFeePerGasGwei: gwei } } });

/** A function that stays warm, with what it logs, after it has taken over a cap of 300 gwei and the chain's RPC URL. */
async function warmFunction() {
  await put(variables.SETTINGS_CHANGES, capOf(300), 'String');
  await put(urlsName, anvil.url, 'SecureString');
  const ssm = new SSMClient({
    ...clientOptions(inject('emulator')),
    retryStrategy: promptRetries(maxAttempts),
  });
  const faults = new AwsFaults();
  faults.watch(ssm);
  const log = new FakeLog();
  let now = 0;
  const chains = composeChains({ variables, deployed, limits: workflowLimits, log, ssm, now: () => now });
  /** A minute later, what an invocation goes by: the cap, and whether the chain answers. */
  const invoke = async () => {
    now += 60_000;
    await chains.refresh();
    const { number } = await chains.chain(chainId).head();
    return [chains.settings.chains[0]?.maxFeePerGasGwei, number >= 0];
  };
  expect(await invoke()).toEqual([300, true]);
  return { faults, log, invoke };
}

test.each([
  ['are no JSON', () => put(variables.SETTINGS_CHANGES, '{"chains":', 'String')],
  ['have a value that the schema refuses', () => put(variables.SETTINGS_CHANGES, capOf(0), 'String')],
  ['are no URLs', () => put(urlsName, 'rpc.example/secret', 'SecureString')],
  ['are deleted', () => operator.send(new DeleteParameterCommand({ Name: urlsName }))],
])(
  'row 54: what operators change stays as it was read last when they %s, until they are mended',
  async (_, spoil) => {
    const { log, invoke } = await warmFunction();
    await spoil();
    for (let minute = 0; minute < 3; minute++) expect(await invoke()).toEqual([300, true]);
    expect(new Set(log.messages('error'))).toEqual(new Set(['settings unreadable']));
    expect(JSON.stringify(log.lines)).not.toContain('secret');
    await put(variables.SETTINGS_CHANGES, capOf(200), 'String');
    await put(urlsName, anvil.url, 'SecureString');
    expect(await invoke()).toEqual([200, true]);
  },
);

test.each(['throttled', 'refused'] as const)(
  'row 54: what operators change stays as it was read last while SSM is %s',
  async (kind) => {
    const { faults, log, invoke } = await warmFunction();
    await put(variables.SETTINGS_CHANGES, capOf(200), 'String');
    faults.inject({ kind, times: 2 * maxAttempts });
    expect(await invoke()).toEqual([300, true]);
    expect(log.messages('error')).toEqual(Array(2).fill('settings unreadable'));
    expect(await invoke()).toEqual([200, true]);
  },
);

test('row 54: a function that has just been started and reads none only reads with the settings as deployed', async () => {
  await put(variables.SETTINGS_CHANGES, '[]', 'String');
  const log = new FakeLog();
  const options = { variables, deployed, limits: workflowLimits, log };
  const chains = composeChains({ ...options, ssm: new SSMClient(clientOptions(inject('emulator'))) });
  await chains.refresh();
  expect(chains.settings).toEqual(deployed);
  expect(chains.chain(chainId).settingsUnread).toBe(true);
  expect(log.messages('error')).toEqual(['settings unreadable']);
});
