import { expect, test } from 'vitest';
import { fittingSettings } from '../../../lib/environment/environment.ts';

const chain = { chainId: 1, name: 'One', registryAddress: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381' };

const problemsOf = (settings: unknown): string[] =>
  (fittingSettings.safeParse(settings).error?.issues ?? []).map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  );

test('`fittingSettings` reports a known OP-stack chain without its type, and an unknown type', () => {
  const base = { ...chain, chainId: 8453 };
  expect(problemsOf({ chains: [base] })).toEqual([
    expect.stringContaining('chains.0.rollup: must be "opStack": this chain charges fees besides gas'),
  ]);
  expect(problemsOf({ chains: [{ ...base, rollup: 'plasma' }] })).toHaveLength(1);
  expect(problemsOf({ chains: [{ ...base, rollup: 'opStack' }] })).toEqual([]);
});

test('`fittingSettings` accepts former registries, each with its own forwarders', () => {
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

test("`fittingSettings` keeps given limits, and adds the service's defaults", () => {
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
  ['only `inFlight`', { inFlight: 2 }],
  ['a fraction', { attestationsPerDay: 1.5, inFlight: 2 }],
])('`fittingSettings` rejects limits with %s', (_, limits) => {
  expect(problemsOf({ chains: [chain], limits })).toEqual([expect.stringContaining('limits')]);
});

function manyChains(count: number) {
  const chains = Array.from({ length: count }, (_, index) => ({ ...chain, chainId: index + 101 }));
  return { chains };
}

test("`fittingSettings` rejects settings that are larger than a function's environment", () => {
  expect(problemsOf(manyChains(5))).toEqual([]);
  expect(problemsOf(manyChains(20))).toEqual([
    expect.stringMatching(/^20 chains take \d+ bytes .* the limit is 3072: move some .* environment/),
  ]);
});

test("the task timeout defaults to the slowest chain's time to finality", () => {
  const slow = { ...chain, chainId: 2, confirmations: 32, blockTimeSeconds: 12 };
  const timeoutOf = (content: object) => fittingSettings.parse(content).taskTimeoutSeconds;
  expect(timeoutOf({ chains: [{ ...chain, confirmations: 1, blockTimeSeconds: 1 }] })).toBe(300);
  expect(timeoutOf({ chains: [chain, slow] })).toBe((32 + 10) * 12);
  expect(timeoutOf({ chains: [{ ...slow, blockTimeSeconds: 600 }] })).toBe((32 + 10) * 600);
  expect(timeoutOf({ chains: [{ ...slow, confirmations: 'finalized' }] })).toBe(20 * 60 + 10 * 12);
  expect(timeoutOf({ chains: [slow], taskTimeoutSeconds: 60 })).toBe(60);
});

test('the functions parse the parsed settings to the same value', () => {
  const settings = fittingSettings.parse(manyChains(3));
  expect(fittingSettings.parse(settings)).toEqual(settings);
});
