import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { checkout } from '../../local/checkout.ts';

const maxGzippedBytes = 100_000;

test('the library is a bundle for browsers of at most 100 kB, gzipped', async () => {
  const { outputFiles } = await build({
    entryPoints: [`${checkout}/verifier/verifier.ts`],
    ...{ bundle: true, minify: true, write: false },
    ...{ platform: 'browser', format: 'esm', target: 'es2022' },
  });
  const [bundle] = outputFiles;
  expect(gzipSync(bundle?.contents ?? '', { level: 9 }).length).toBeLessThanOrEqual(maxGzippedBytes);
  // A browser has none of Node's modules: esbuild would have failed to find one.
  expect(bundle?.text).not.toMatch(/from\s*["']node:/);
});
