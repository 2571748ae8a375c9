import { defineConfig } from 'vitest/config';

/** Resolves packages of this repository to their sources, in tests and in the programs that tests start. */
const condition = 'imprimatur-source';
const resolve = { conditions: [condition, 'node', 'import', 'default'] };
/** Applies to tests, and to the global setup, which Vitest loads in a separate environment. */
const fromSources = { resolve, ssr: { resolve }, environments: { __vitest__: { resolve } } };
/** How long a polled expectation waits, in milliseconds. */
const expect = { poll: { timeout: 30_000 } };
/** Starts the Chromium that the files of a project share. */
const browser = 'test/browser/browser-setup.ts';
const env = { NODE_OPTIONS: `--conditions=${condition}` };

/** By default, Vitest reserves one core for its main process, which hardly uses it. */
const maxWorkers = '100%';

/**
 * Tests that use only fakes. They mock no modules and change no globals, as test/projects.test.ts checks. So they can share
 * workers, which import each module only once. That halves their time.
 */
const domain = ['test/functions/{domain,life,workflow}/**', 'test/{admin,fakes,lib,soak,statemachine}/**'];

/** Makes a project whose test files share one local stack. */
const onStack = (name: string, include: string[], exclude: string[] = []) => ({
  ...fromSources,
  test: {
    ...{ env, expect, name, include, exclude },
    globalSetup: ['test/service/stack/stack-setup.ts', browser],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The files share one stack, which already uses both cores.
    fileParallelism: false,
  },
});

/**
 * `domain` and `unit` run on fakes, except commands that need a chain. `chain` runs on a real anvil, `faults` on anvil and
 * the emulator in simulated time, `service` on the whole local stack, and `localstack` on the same stack with LocalStack.
 */
export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      {
        ...fromSources,
        test: {
          env,
          expect,
          name: 'domain',
          include: domain.map((folder) => `${folder}/*.test.ts`),
          isolate: false,
          testTimeout: 60_000,
          maxWorkers,
        },
      },
      {
        ...fromSources,
        test: {
          env,
          expect,
          name: 'unit',
          include: ['test/**/*.test.ts', 'packages/{client,cli,terminal}/test/**/*.test.ts'],
          exclude: ['test/{faults,service}/**', ...domain],
          globalSetup: [browser],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers,
        },
      },
      {
        ...fromSources,
        test: {
          env,
          expect,
          name: 'chain',
          include: ['contracts/test/**/*.test.ts', 'packages/{verifier,verifier-py,pages}/test/**/*.test.ts'],
          globalSetup: [browser],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers,
        },
      },
      {
        ...fromSources,
        test: {
          env,
          expect,
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          globalSetup: ['test/fakes/real/real-emulator.ts', browser],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers,
        },
      },
      onStack('service', ['test/service/**/*.test.ts'], ['test/service/localstack/**']),
      onStack('localstack', [
        'test/service/{conformance,localstack}/*.test.ts',
        'test/service/setup.test.ts',
      ]),
    ],
  },
});
