import { expect, test } from 'vitest';
import { bundledPackages } from './bundled-packages.ts';

function output(bytesInOutput: number) {
  return { bytesInOutput };
}

test('adds up the bytes of each package, scoped and nested ones by their own name, largest first', () => {
  const inputs = {
    'functions/domain/attestation/content.ts': output(10),
    'functions/domain/attestation/attestation-records.ts': output(5),
    'node_modules/viem/_esm/index.js': output(300),
    'node_modules/@smithy/core/dist-es/a.js': output(100),
    'node_modules/@smithy/core/dist-es/b.js': output(150),
    'node_modules/viem/node_modules/ox/index.js': output(7),
  };
  const outputs = { 'index.mjs': { bytes: 0, inputs, imports: [], exports: [] } };
  expect(bundledPackages({ outputs })).toEqual([
    ['viem', 300],
    ['@smithy/core', 250],
    ['(this repository)', 15],
    ['ox', 7],
  ]);
});
