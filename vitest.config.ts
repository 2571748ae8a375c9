import { defineConfig } from 'vitest/config';

/** Packages of this checkout are taken from their sources, in tests and in the programs that tests start. */
const condition = 'imprimatur-source';
const resolve = { conditions: [condition, 'node', 'import', 'default'] };
/** Tests, and the set-up of a project, which Vitest loads in an environment of its own. */
const fromSources = { resolve, ssr: { resolve }, environments: { __vitest__: { resolve } } };
/** How long a polled expectation waits, in milliseconds. */
const expect = { poll: { timeout: 30_000 } };
/** Starts the Chromium that the files of a project share. */
const browser = 'test/browser/browser-setup.ts';
const env = { NODE_OPTIONS: `--conditions=${condition}` };

/** Vitest leaves one core to itself, which of two is half of the time; it needs next to nothing. */
const maxWorkers = '100%';

/**
 * Rules, commands and templates on fakes. None mocks a module or touches what is global (test/projects.test.ts looks),
 * so they share workers: each file importing everything anew took twice as long as all of these tests.
 */
const domain = ['test/functions/{domain,life,workflow}/**', 'test/{admin,fakes,lib,soak,statemachine}/**'];

/**
 * `domain` and `unit` run on fakes, but for commands that need a chain, `chain` on a real anvil, `faults` on anvil and the
 * emulator in simulated time, `service` on the whole local stack.
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
      {
        ...fromSources,
        test: {
          env,
          expect,
          name: 'service',
          include: ['test/service/**/*.test.ts'],
          globalSetup: ['test/service/stack/stack-setup.ts', browser],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // One stack, two cores: files take turns.
          fileParallelism: false,
        },
      },
    ],
  },
});
