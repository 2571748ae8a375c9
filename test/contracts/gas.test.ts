import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GasMeter, type GasTable } from './gas.ts';

/** `npm run contracts:gas` writes it again. */
const snapshotFile = new URL('../../contracts/gas-snapshot.json', import.meta.url);

/** What a change of a comment's neighbourhood may move; more is a change to look at. */
const tolerance = 0.002;

let meter: GasMeter;
let table: GasTable;
beforeAll(async () => {
  meter = await GasMeter.start();
  table = await meter.measure();
  if (process.env.UPDATE_GAS_SNAPSHOT) writeFileSync(snapshotFile, `${JSON.stringify(table, null, 2)}\n`);
}, 120_000);
afterAll(() => meter.stop());

/** Every figure of a table by its path. */
function figures(value: object, path = ''): [string, number][] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'number' ? [[`${path}${key}`, inner]] : figures(inner, `${path}${key}.`),
  ) as [string, number][];
}

test('is that of the snapshot, within two thousandths', () => {
  const snapshot = new Map(figures(JSON.parse(readFileSync(snapshotFile, 'utf8'))));
  expect(figures(table).map(([path]) => path)).toEqual([...snapshot.keys()]);
  for (const [path, figure] of figures(table)) {
    const ratio = figure / (snapshot.get(path) ?? 0);
    expect(Math.abs(ratio - 1), `${path}: ${figure}`).toBeLessThanOrEqual(tolerance);
  }
});

describe('for the first attestation of a digest, authority and counter warm', () => {
  test('is at most 145,000 for commit and reveal by the key', () => {
    expect(table.direct.commit + table.direct.reveal).toBeLessThanOrEqual(145_000);
  });

  test('is at most 100,000 each for 96 commits and reveals through the forwarder', () => {
    expect(table.forwarded['96'].commit + table.forwarded['96'].reveal).toBeLessThanOrEqual(100_000);
  });
});

test('of 96 calls, the dearest there are, fits a transaction and its size a node', () => {
  expect(table.dearest96.gasLimit).toBeLessThanOrEqual(15_000_000);
  expect(table.dearest96.calldataBytes).toBeLessThanOrEqual(120_000);
});
