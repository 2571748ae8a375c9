import { expect, test } from 'vitest';
import { parseSmokeOptions, smokeHelp, stepNames } from './options.ts';

const aws = ['--env', 'staging', '--rpc-urls', 'urls.txt'];

test('takes an environment with its RPC URLs, or an emulator, and all steps', () => {
  expect(parseSmokeOptions(aws)).toMatchObject({ env: 'staging', only: stepNames, keep: false, yes: false });
  expect(parseSmokeOptions(['--emulator'])).toMatchObject({ env: undefined, only: stepNames });
  expect(parseSmokeOptions(['--env', 'staging', '--destroy'])).toMatchObject({ destroyOnly: true });
});

test('runs chosen steps in their order, after those that they need', () => {
  const { only } = parseSmokeOptions(['--emulator', '--only', 'logs,throttle']) ?? {};
  expect(only).toEqual(['deploy', 'attest', 'throttle', 'logs', 'destroy']);
});

test.each([
  [[], '--env'],
  [['--emulator', '--env', 'staging'], '--env'],
  [['--env', 'staging'], '--rpc-urls'],
  [['--emulator', '--keep'], '--emulator takes none of'],
  [[...aws, '--chain', 'one'], '--chain must be'],
  [[...aws, '--only', 'logs,nothing'], '--only knows no nothing; the steps are deploy, attest'],
  [[...aws, '--wat'], "Unknown option '--wat'"],
])('refuses %j, and says which option', (argv, says) => {
  expect(() => parseSmokeOptions(argv)).toThrow(says);
});

test('the help fits a terminal of 80 columns, and names every step', () => {
  expect(parseSmokeOptions(['--help'])).toBeUndefined();
  expect(smokeHelp.split('\n').filter((line) => line.length > 80)).toEqual([]);
  for (const word of ['throttle', 'redrive', 'upgrade', 'restore', 'destroy'])
    expect(smokeHelp).toContain(word);
});
