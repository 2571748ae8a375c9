import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { environmentSchema } from '../../lib/environment/environment.ts';
import { smokeEnvironment } from './smoke-environment.ts';

const fileOf = (name: string) => JSON.parse(readFileSync(`environments/${name}.json`, 'utf8'));

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(`${tmpdir()}/environments-`);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function environment(name: string, changes: object = {}) {
  writeFileSync(`${directory}/${name}.json`, JSON.stringify({ ...fileOf('staging'), ...changes }));
  return smokeEnvironment(name, undefined, directory);
}

test('is a stack of its own in the same account, which nothing keeps', () => {
  const { name, stackName, account, region, file } = environment('staging', {
    api: {
      domainName: 'a.example.org',
      certificateArn: 'arn:aws:acm:eu-central-1:444455556666:certificate/x',
    },
    alarmAddresses: ['on-call@example.org'],
  });
  expect({ name, stackName, account, region }).toEqual({
    ...{ name: 'staging-smoke', stackName: 'Imprimatur-Smoke' },
    ...{ account: '444455556666', region: 'eu-central-1' },
  });
  const parsed = environmentSchema.parse(file);
  expect(parsed.api).toBeUndefined();
  expect(parsed).toMatchObject({
    ...{ stackName, account, region, alarmAddresses: [] },
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
  ['by its name', 'eu-prod', {}, 'it is called eu-prod'],
  ['by a tag', 'main', { tags: { environment: 'production' } }, 'it is called production'],
  ['by its chain', 'main', mainnet, 'Ethereum is no test chain'],
])('refuses a production environment, known %s', (_, name, changes, says) => {
  expect(() => environment(name, changes)).toThrow(`smoke refuses ${name}: ${says}`);
});

test('refuses the production environment of this repository', () => {
  expect(() => smokeEnvironment('production')).toThrow('smoke refuses production');
});

test('refuses a chain that the environment does not have, and an environment that is not there', () => {
  environment('staging');
  expect(() => smokeEnvironment('staging', 17, directory)).toThrow('staging has no chain 17');
  expect(() => smokeEnvironment('stagin', undefined, directory)).toThrow('there are: ');
});
