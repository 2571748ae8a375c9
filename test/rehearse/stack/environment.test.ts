import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { environmentSchema } from '../../../lib/environment/environment.ts';
import { remainingResources } from './aws.ts';
import { callerOf, smokeEnvironment } from './environment.ts';

const fileOf = (name: string) => JSON.parse(readFileSync(`environments/${name}.json`, 'utf8'));

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(`${tmpdir()}/environments-`);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function written(name: string, changes: object = {}) {
  writeFileSync(`${directory}/${name}.json`, JSON.stringify({ ...fileOf('staging'), ...changes }));
  return smokeEnvironment(name, undefined, directory);
}

test('the smoke environment is a separate stack in the same account without retention', () => {
  const { name, stackName, account, region, file } = written('staging', {
    api: {
      domainName: 'a.example.org',
      certificateArn: 'arn:aws:acm:eu-central-1:444455556666:certificate/x',
    },
    alarmAddresses: ['on-call@example.org'],
  });
  const target = { stackName: 'Imprimatur-Smoke', account: '444455556666', region: 'eu-central-1' };
  expect({ name, stackName, account, region }).toEqual({ name: 'staging-smoke', ...target });
  const parsed = environmentSchema.parse(file);
  expect(parsed.api).toBeUndefined();
  expect(parsed).toMatchObject({
    ...{ ...target, alarmAddresses: [] },
    ...{ deletionProtection: false, retention: { tables: 'delete', key: 'delete' } },
  });
  expect(parsed.settings.chains).toMatchObject([{ chainId: 11155111, delegates: ['key'], confirmations: 3 }]);
});

const mainnet = {
  settings: {
    chains: [{ chainId: 1, name: 'Ethereum', registryAddress: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381' }],
  },
};

test.each<[string, string, object, string]>([
  ['by its name', 'eu-prod', {}, 'its name or a tag is eu-prod'],
  ['by a tag', 'main', { tags: { environment: 'production' } }, 'its name or a tag is production'],
  ['by its chain', 'main', mainnet, 'Ethereum is not a test chain'],
])('the smoke environment rejects production, recognized %s', (_, name, changes, reason) => {
  expect(() => written(name, changes)).toThrow(`cannot run smoke in ${name}: ${reason}`);
});

const environment = smokeEnvironment('staging');

test('`callerOf` rejects credentials of another account and names the caller', async () => {
  const callerIn = (Account: string) =>
    callerOf(environment, async () => ({ Account, Arn: 'arn:me', $metadata: {} }));
  expect(await callerIn('444455556666')).toBe('arn:me');
  await expect(callerIn('111122223333')).rejects.toThrow(
    'the environment is in account 444455556666, but the credentials are for arn:me',
  );
});

test('a failed run prints one command that removes everything', () => {
  const removal = 'npm run rehearse -- smoke --env staging --destroy';
  expect(remainingResources(environment).at(-1)).toBe(`to remove all of it, run: ${removal}`);
});
