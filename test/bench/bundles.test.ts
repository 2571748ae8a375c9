import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { App, Stack } from 'aws-cdk-lib';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { afterAll, expect, test } from 'vitest';
import { bundling } from '../../lib/service-function.ts';
import { bundleFunction } from './bundles.ts';

const directory = mkdtempSync(`${tmpdir()}/bench-bundles-`);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('`bundleFunction` makes the same bytes as the CDK', async () => {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  const app = new App({ context, outdir: `${directory}/cdk.out` });
  new NodejsFunction(new Stack(app, 'Stack'), 'Function', {
    entry: 'functions/api/quote-passage.ts',
    projectRoot: process.cwd(),
    depsLockFilePath: 'package-lock.json',
    runtime: Runtime.NODEJS_24_X,
    bundling,
  });
  app.synth();
  const [deployed = ''] = globSync(`${directory}/cdk.out/asset.*/index.mjs`);

  const { path, bytes, gzipBytes } = await bundleFunction('api/quote-passage', directory);

  expect(readFileSync(path).equals(readFileSync(deployed))).toBe(true);
  expect(bytes).toBe(readFileSync(deployed).length);
  expect(gzipBytes).toBeLessThan(bytes / 2);
});
