import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { registry, useRegistry } from '../use-registry.ts';
import { measureBatches } from './batch-gas.ts';
import { GasMeter } from './gas.ts';

/** `npm run gas --workspace contracts` writes it again. */
const snapshotFile = new URL('../../../gas-snapshot.json', import.meta.url);

const tolerance = 0.002;

async function measure() {
  const meter = await GasMeter.start(registry);
  const { mostExpensive96, ...single } = await meter.measureSingle();
  return { ...single, batch: await measureBatches(meter), mostExpensive96 };
}

let table: Awaited<ReturnType<typeof measure>>;
useRegistry();
beforeAll(async () => {
  table = await measure();
  if (process.env.UPDATE_GAS_SNAPSHOT) writeFileSync(snapshotFile, `${JSON.stringify(table, null, 2)}\n`);
});

function figures(value: object, path = ''): [string, number][] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'number' ? [[`${path}${key}`, inner]] : figures(inner, `${path}${key}.`),
  ) as [string, number][];
}

test('each figure is within 0.2 % of the snapshot', () => {
  const snapshot = new Map(figures(JSON.parse(readFileSync(snapshotFile, 'utf8'))));
  expect(figures(table).map(([path]) => path)).toEqual([...snapshot.keys()]);
  for (const [path, figure] of figures(table)) {
    const ratio = figure / (snapshot.get(path) ?? 0);
    expect(Math.abs(ratio - 1), `${path}: ${figure}`).toBeLessThanOrEqual(tolerance);
  }
});

describe('the first attestation of a digest, but not of its authority or the registry', () => {
  test('costs at most 145,100 for commit and reveal by the key', () => {
    expect(table.direct.commit + table.direct.reveal).toBeLessThanOrEqual(145_100);
  });

  test('costs at most 100,000 in 96 commits and reveals through the forwarder', () => {
    expect(table.forwarded['96'].commit + table.forwarded['96'].reveal).toBeLessThanOrEqual(100_000);
  });

  test('costs at most 42,500 in a batch of 48, by the key and through the forwarder', () => {
    expect(table.batch.direct['48'].gas).toBeLessThanOrEqual(42_500);
    expect(table.batch.forwarded['48'].gas).toBeLessThanOrEqual(42_500);
  });

  test('costs at most 55,000 in a batch of 10, and 45,500 in a batch of 48 with 48 authorities', () => {
    expect(table.batch.forwarded['10'].gas).toBeLessThanOrEqual(55_000);
    expect(table.batch.authorities.gas).toBeLessThanOrEqual(45_500);
  });
});

test('a batch of 48 has at most 110 bytes of calldata for each attestation', () => {
  expect(table.batch.forwarded['48'].calldataBytes).toBeLessThanOrEqual(110);
});

test('the 96 most expensive calls and the largest batch fit into the limits of a transaction and a node', () => {
  const largest = table.batch.forwarded['383'];
  expect(Math.max(table.mostExpensive96.gasLimit, 383 * largest.gas)).toBeLessThanOrEqual(15_500_000);
  expect(Math.max(table.mostExpensive96.calldataBytes, 383 * largest.calldataBytes)).toBeLessThanOrEqual(
    120_000,
  );
});
