import { expect, test } from 'vitest';
import { fittingSettings } from '../../../lib/environment/environment.ts';

const chain = { chainId: 1, name: 'One', registryAddress: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381' };

/** What is wrong with settings, each with where it is. */
const problemsOf = (settings: unknown): string[] =>
  (fittingSettings.safeParse(settings).error?.issues ?? []).map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  );

test('tells of an OP-stack chain that is not said to be one, and of a kind it does not know', () => {
  const base = { ...chain, chainId: 8453 };
  expect(problemsOf({ chains: [base] })).toEqual([
    expect.stringContaining('chains.0.rollup: must be "opStack": this chain takes fees beside gas'),
  ]);
  expect(problemsOf({ chains: [{ ...base, rollup: 'plasma' }] })).toHaveLength(1);
  expect(problemsOf({ chains: [{ ...base, rollup: 'opStack' }] })).toEqual([]);
});

test('takes earlier registries, each with forwarders of its own', () => {
  const [older, forwarder] = [`0x${'3'.repeat(40)}`, `0x${'4'.repeat(40)}`];
  const problems = (delegates: string[], former: object) =>
    problemsOf({ chains: [{ ...chain, delegates, formerRegistries: [former] }] });
  const repeated = [expect.stringContaining('chains.0.formerRegistries: must name each registry once')];
  expect(problems(['key'], { registryAddress: older })).toEqual([]);
  expect(problems(['key'], { registryAddress: older, delegates: [forwarder] })).toEqual([]);
  expect(problems([forwarder], { registryAddress: older, delegates: [forwarder] })).toEqual(repeated);
  expect(problems(['key'], { registryAddress: chain.registryAddress })).toEqual(repeated);
  const ofPublic = { registryAddress: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381' };
  const quick = { ...chain, registryAddress: older, revealDelaySeconds: 5, formerRegistries: [ofPublic] };
  expect(problemsOf({ chains: [quick] })).toEqual([
    expect.stringContaining('chains.0.revealDelaySeconds: must be at least 60'),
  ]);
});

test("limits every organization, by the file's figures or else by the service's own", () => {
  expect(fittingSettings.parse({ chains: [chain] }).limits).toEqual({
    attestationsPerDay: 10_000,
    linksPerDay: 1_000,
    inFlight: 1_000,
  });
  const limits = { attestationsPerDay: 5, inFlight: 2 };
  expect(fittingSettings.parse({ chains: [chain], limits }).limits).toEqual({
    ...limits,
    linksPerDay: 1_000,
  });
});

test.each([
  ['one of them alone', { inFlight: 2 }],
  ['a fraction', { attestationsPerDay: 1.5, inFlight: 2 }],
])('refuses limits that say %s', (_, limits) => {
  expect(problemsOf({ chains: [chain], limits })).toEqual([expect.stringContaining('limits')]);
});

function manyChains(count: number) {
  const chains = Array.from({ length: count }, (_, index) => ({ ...chain, chainId: index + 101 }));
  return { chains };
}

test('refuses settings that do not fit the environment of a function, and says what to do', () => {
  expect(problemsOf(manyChains(5))).toEqual([]);
  expect(problemsOf(manyChains(20))).toEqual([
    expect.stringMatching(/^20 chains take \d+ bytes .* room for 3072: give some .* environment/),
  ]);
});

test('waits for task tokens as long as the slowest chain takes to call a block final, unless told', () => {
  const slow = { ...chain, chainId: 2, confirmations: 32, blockTimeSeconds: 12 };
  const timeoutOf = (content: object) => fittingSettings.parse(content).taskTimeoutSeconds;
  expect(timeoutOf({ chains: [{ ...chain, confirmations: 1, blockTimeSeconds: 1 }] })).toBe(300);
  expect(timeoutOf({ chains: [chain, slow] })).toBe((32 + 10) * 12);
  expect(timeoutOf({ chains: [{ ...slow, blockTimeSeconds: 600 }] })).toBe((32 + 10) * 600);
  expect(timeoutOf({ chains: [{ ...slow, confirmations: 'finalized' }] })).toBe(20 * 60 + 10 * 12);
  expect(timeoutOf({ chains: [slow], taskTimeoutSeconds: 60 })).toBe(60);
});

test('reads what it wrote: the functions parse the parsed settings again', () => {
  const settings = fittingSettings.parse(manyChains(3));
  expect(fittingSettings.parse(settings)).toEqual(settings);
});
