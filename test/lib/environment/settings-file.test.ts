import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSettings } from '../../../lib/environment/read-environment.ts';
import { FileInvalidError } from '../../../lib/environment/read-json.ts';

const directory = mkdtempSync(join(tmpdir(), 'imprimatur-settings-'));
afterAll(() => rmSync(directory, { recursive: true }));

const chain = { chainId: 1, name: 'One', registryAddress: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381' };

function settingsFile(content: unknown): string {
  const path = join(directory, 'settings.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function problemsOf(path: string): readonly string[] {
  try {
    readSettings(path);
    return [];
  } catch (error) {
    if (error instanceof FileInvalidError) return error.problems;
    throw error;
  }
}

test('names everything that is wrong, each with where it is', () => {
  const path = settingsFile({
    chains: [
      { ...chain, chainId: 0 },
      { ...chain, registryAddress: '0x00' },
    ],
    defaultChain: 1,
  });
  const problems = problemsOf(path);
  expect(problems.find((problem) => problem.startsWith(`${path}: chains.0.chainId: `))).toBeDefined();
  expect(problems.find((problem) => problem.startsWith(`${path}: chains.1.registryAddress: `))).toBeDefined();
  expect(problems.find((problem) => problem.includes('defaultChain'))).toBeDefined();
});

test('tells of an OP-stack chain that is not said to be one, and of a kind it does not know', () => {
  const base = { ...chain, chainId: 8453 };
  expect(problemsOf(settingsFile({ chains: [base] }))).toEqual([
    expect.stringContaining('chains.0.rollup: must be "opStack": this chain takes fees beside gas'),
  ]);
  expect(problemsOf(settingsFile({ chains: [{ ...base, rollup: 'plasma' }] }))).toHaveLength(1);
  expect(problemsOf(settingsFile({ chains: [{ ...base, rollup: 'opStack' }] }))).toEqual([]);
});

test('takes earlier registries, each with forwarders of its own', () => {
  const [older, forwarder] = [`0x${'3'.repeat(40)}`, `0x${'4'.repeat(40)}`];
  const problems = (delegates: string[], former: object) =>
    problemsOf(settingsFile({ chains: [{ ...chain, delegates, formerRegistries: [former] }] }));
  const repeated = [expect.stringContaining('chains.0.formerRegistries: must name each registry once')];
  expect(problems(['key'], { registryAddress: older })).toEqual([]);
  expect(problems(['key'], { registryAddress: older, delegates: [forwarder] })).toEqual([]);
  expect(problems([forwarder], { registryAddress: older, delegates: [forwarder] })).toEqual(repeated);
  expect(problems(['key'], { registryAddress: chain.registryAddress })).toEqual(repeated);
  const ofPublic = { registryAddress: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381' };
  const quick = { ...chain, registryAddress: older, revealDelaySeconds: 5, formerRegistries: [ofPublic] };
  expect(problemsOf(settingsFile({ chains: [quick] }))).toEqual([
    expect.stringContaining('chains.0.revealDelaySeconds: must be at least 60'),
  ]);
});

test("limits every organisation, by the file's figures or else by the service's own", () => {
  expect(readSettings(settingsFile({ chains: [chain] })).limits).toEqual({
    attestationsPerDay: 10_000,
    linksPerDay: 1_000,
    inFlight: 1_000,
  });
  const limits = { attestationsPerDay: 5, inFlight: 2 };
  expect(readSettings(settingsFile({ chains: [chain], limits })).limits).toEqual({
    ...limits,
    linksPerDay: 1_000,
  });
});

test.each([
  ['one of them alone', { inFlight: 2 }],
  ['a fraction', { attestationsPerDay: 1.5, inFlight: 2 }],
])('refuses limits that say %s', (_, limits) => {
  expect(problemsOf(settingsFile({ chains: [chain], limits }))).toEqual([expect.stringContaining('limits')]);
});

function manyChains(count: number) {
  const chains = Array.from({ length: count }, (_, index) => ({ ...chain, chainId: index + 101 }));
  return { chains };
}

test('refuses settings that do not fit the environment of a function, and says what to do', () => {
  expect(problemsOf(settingsFile(manyChains(5)))).toEqual([]);
  const [problem, ...others] = problemsOf(settingsFile(manyChains(20)));
  expect(problem).toMatch(
    /settings\.json: 20 chains take \d+ bytes .* room for 3072: give some .* environment/,
  );
  expect(others).toEqual([]);
});

test('waits for task tokens as long as the slowest chain takes to call a block final, unless told', () => {
  const slow = { ...chain, chainId: 2, confirmations: 32, blockTimeSeconds: 12 };
  const timeoutOf = (content: object) => readSettings(settingsFile(content)).taskTimeoutSeconds;
  expect(timeoutOf({ chains: [{ ...chain, confirmations: 1, blockTimeSeconds: 1 }] })).toBe(300);
  expect(timeoutOf({ chains: [chain, slow] })).toBe((32 + 10) * 12);
  expect(timeoutOf({ chains: [{ ...slow, blockTimeSeconds: 600 }] })).toBe((32 + 10) * 600);
  expect(timeoutOf({ chains: [{ ...slow, confirmations: 'finalized' }] })).toBe(20 * 60 + 10 * 12);
  expect(timeoutOf({ chains: [slow], taskTimeoutSeconds: 60 })).toBe(60);
});

test('reads what it wrote: the functions parse the parsed settings again', () => {
  const settings = readSettings(settingsFile(manyChains(3)));
  expect(readSettings(settingsFile(settings))).toEqual(settings);
});
