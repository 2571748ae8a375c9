import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { namesIn, onlyEnvironment, readEnvironment } from '../../../lib/environment/read-environment.ts';
import { FileInvalidError } from '../../../lib/environment/read-json.ts';
import { stackOf } from '../../../lib/stack-of.ts';

const directory = mkdtempSync(join(tmpdir(), 'imprimatur-environments-'));
afterAll(() => rmSync(directory, { recursive: true }));

const fileOf = (name: string) => JSON.parse(readFileSync(`environments/${name}.json`, 'utf8'));
const production = fileOf('production');

const folder = join(directory, 'environments');

function writeFiles(files: Record<string, object>): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(content));
}

function problemsOf(read: string, files: Record<string, object>): readonly string[] {
  writeFiles(files);
  return refusedBy(() => readEnvironment(read, folder)).map((problem) => problem.replace(`${folder}/`, ''));
}

function refusedBy(act: () => unknown): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    if (error instanceof FileInvalidError) return error.problems;
    throw error;
  }
}

test('the files for staging and production are valid', () => {
  expect(namesIn('environments')).toEqual(['production', 'staging']);
  for (const name of namesIn('environments'))
    expect(readEnvironment(name)).toMatchObject({
      deletionProtection: true,
      retention: { tables: 'retain', key: 'retain' },
    });
});

const { account: _, ...anywhere } = production;
const { settings } = production;
const [ethereum, ...others] = settings.chains;
const certificate = (region: string) => `arn:aws:acm:${region}:111122223333:certificate/abc`;

test.each([
  ['no account', { account: undefined }, 'account: is missing'],
  ['a short account', { account: '1111' }, 'account: must be twelve digits'],
  ['an invalid Region', { api: undefined, region: 'Frankfurt' }, 'region: must be a Region'],
  ['a misspelled field', { alarmAdresses: [] }, 'alarmAdresses: is unknown; known names: account, region, '],
  [
    'a misspelled field of a chain',
    { settings: { ...settings, chains: [{ ...ethereum, maxFeePerGas: 5 }] } },
    'settings.chains.0.maxFeePerGas: is unknown; known names: chainId, ',
  ],
  [
    'an unknown function',
    { reservedConcurrency: { 'workflow/sweeep': 5 } },
    'reservedConcurrency.workflow/sweeep: is unknown; known names: api/openapi-document, ',
  ],
  [
    'a concurrency of zero',
    { reservedConcurrency: { 'workflow/sweep': 0 } },
    'reservedConcurrency.workflow/sweep: Too small',
  ],
  [
    'days that CloudWatch does not know',
    { retention: { logDays: 31 } },
    'retention.logDays: must be one of 1, 3, 5, 7, 14, 30,',
  ],
  [
    'tables that are both deleted and protected',
    { retention: { tables: 'delete' } },
    'retention.tables: cannot be "delete" with deletionProtection',
  ],
  [
    "a certificate of the site's Region",
    { api: { domainName: 'a.example.org', certificateArn: certificate('us-east-1') } },
    'api.certificateArn: must be in eu-central-1, like the API',
  ],
  [
    "a certificate of the API's Region",
    { site: { domainName: 'a.example.org', certificateArn: certificate('eu-central-1') } },
    'site.certificateArn: must be the ARN of an ACM certificate in us-east-1',
  ],
  ['a domain without a certificate', { site: { domainName: 'a.example.org' } }, 'site: must have both'],
  [
    'alarms by telephone',
    { alarmAddresses: ['+49 30 1'] },
    'alarmAddresses.0: must be an email address, or an https URL',
  ],
  ["a tag of AWS's", { tags: { 'aws:a': 'b' } }, 'tags.aws:a: '],
  [
    'the key first where a forwarder is recommended',
    { settings: { ...settings, chains: [{ ...ethereum, delegates: ['key'] }, ...others] } },
    'settings.chains.0.delegates: must begin with the address of a DelegateForwarder',
  ],
  ['a rate limit that a web ACL does not take', { requestsPerAddress: 5 }, 'requestsPerAddress: Too small'],
])('an environment with %s is rejected with one line', (_case, change, problem) => {
  expect(problemsOf('live', { live: { ...production, ...change } })).toEqual([
    expect.stringMatching(new RegExp(`^live\\.json: ${problem.replaceAll(/[.?()]/g, '\\$&')}`)),
  ]);
});

test('an environment accepts https alarm addresses, deleted tables, and the key as recommended delegate', () => {
  const chains = [{ ...ethereum, delegates: ['key'] }];
  const thrownAway = { deletionProtection: false, retention: { tables: 'delete', key: 'delete' } };
  const alarmAddresses = ['https://alarms.example.org/in'];
  const live = { ...production, ...thrownAway, alarmAddresses, recommendedDelegate: 'key' };
  expect(problemsOf('live', { live: { ...live, settings: { ...settings, chains } } })).toEqual([]);
});

test('an invalid environment reports all of its problems', () => {
  const { region: __, ...nowhere } = anywhere;
  expect(problemsOf('live', { live: { ...nowhere, tag: {} } })).toEqual([
    'live.json: account: is missing',
    'live.json: region: is missing',
    expect.stringContaining('live.json: tag: is unknown'),
  ]);
});

test('`readEnvironment` rejects two environments of one stack', () => {
  const problem = (path: string) => [
    `live.json: stackName: Imprimatur is also the stack of ${path}; choose another`,
  ];
  const files = (more: object) => ({ live: production, test: { ...production, ...more } });
  expect(problemsOf('live', files({}))).toEqual(problem(`${folder}/test.json`));
  expect(problemsOf('live', files({ stackName: 'Test' }))).toEqual([]);
  expect(problemsOf('live', files({ account: '444455556666' }))).toEqual([]);
  expect(problemsOf('live', files({ region: 'eu-west-1' }))).toEqual([]);
});

const refusedFor = (context: Record<string, string>) => refusedBy(() => stackOf((name) => context[name]));

test('the error for a missing or unknown environment lists the existing ones', () => {
  expect(refusedFor({})).toEqual([
    'no environment: add -c env=NAME with one of these:',
    '  production  111122223333  eu-central-1  Imprimatur  Ethereum, Base, Arbitrum One',
    '  staging     444455556666  eu-central-1  Imprimatur  Sepolia',
  ]);
  expect(refusedFor({ env: 'prodction' })).toEqual([
    'there is no environments/prodction.json; there are: production, staging',
  ]);
  expect(refusedFor({ env: '../settings' })).toEqual([
    'there is no environments/../settings.json; there are: production, staging',
  ]);
});

test('without a name, the only environment is used, and several are listed, including invalid ones', () => {
  writeFiles({ live: production });
  expect(onlyEnvironment(folder)).toBe('live');
  writeFiles({ live: production, broken: {} });
  expect(refusedBy(() => onlyEnvironment(folder))).toEqual([
    'no environment: add -c env=NAME with one of these:',
    '  broken  invalid',
    '  live    111122223333  eu-central-1  Imprimatur  Ethereum, Base, Arbitrum One',
  ]);
  writeFiles({});
  expect(refusedBy(() => onlyEnvironment(folder))).toEqual([`no environment: write a file in ${folder}/`]);
});

test('`-c env` rejects other settings', () => {
  expect(refusedFor({ env: 'staging', settings: 'a.json', stackName: 'B' })).toEqual([
    '-c settings: environments/staging.json has it',
    '-c stackName: environments/staging.json has it',
  ]);
});

test("`-c env` rejects `emulator`, because the key's conditions would be missing", () => {
  expect(refusedFor({ env: 'production', emulator: 'ministack' })).toEqual([
    '-c emulator=ministack: an emulator takes -c settings=FILE, and no environment',
  ]);
});

test('the error about an unknown emulator names the known ones', () => {
  expect(refusedFor({ emulator: 'true' })).toEqual(['-c emulator=true: must be ministack or localstack']);
});

test('the app prints a problem as a plain line without a stack trace', () => {
  const { status, stderr } = spawnSync(process.execPath, ['bin/imprimatur.ts'], {
    env: { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ env: 'stagin' }) },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([
    1,
    'there is no environments/stagin.json; there are: production, staging\n',
  ]);
});
