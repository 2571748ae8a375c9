import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { MainPathsFirst } from './test/run/main-paths-first.ts';

/** Resolves packages of this repository to their sources, in tests and in the programs that tests start. */
const condition = 'imprimatur-source';
const resolve = { conditions: [condition, 'node', 'import', 'default'] };
/** Applies to tests, and to the global setup, which Vitest loads in a separate environment. */
const fromSources = { resolve, ssr: { resolve }, environments: { __vitest__: { resolve } } };
/** Whether a test runs all its random cases or changes every byte of its files, which takes long. */
const isLong = process.env.SOAK === '1' || process.env.EVERY_BYTE === '1';
/** Milliseconds after which a hanging test ends. On a busy machine, builds and installations take minutes. */
const testTimeout = isLong ? 7_200_000 : 300_000;
/** A polled expectation ends a little before its test, because its error shows what it waited for. */
const limits = { testTimeout, hookTimeout: 300_000, expect: { poll: { timeout: 270_000 } } };
/** Starts the Chromium that the files of a project share. */
const browser = 'test/browser/browser-setup.ts';
const env = { NODE_OPTIONS: `--conditions=${condition}` };

/**
 * Tests that mock modules or change globals. Each has its own worker. The other tests on fakes share workers, which import
 * each module only once.
 */
const isolated = [
  'packages/cli/test/watching/event-reader.test.ts',
  'packages/client/test/service.test.ts',
  'packages/terminal/test/progress.test.ts',
  'test/functions/adapters/{aws/refreshing-cache,chain/connect}.test.ts',
  'test/functions/api/{cors-and-unrouted,create,keys,link-and-chains,proof-and-quote,read}.test.ts',
  'test/functions/api/openapi/answers.test.ts',
  'test/local/process/supervise.test.ts',
];

/** Tests that need a chain or a browser. */
const chain = [
  'contracts/test/chain/{deploy-registry,gas/*,models/*,service/*}.test.ts',
  'packages/pages/test/**/*.test.ts',
  'packages/verifier-py/test/command.test.ts',
  'packages/verifier/test/{browser-bundle,command,trie/block-header}.test.ts',
  'packages/verifier/test/delegation/read-delegation.test.ts',
  'packages/verifier/test/proof/{stored-registry,take-proof}.test.ts',
  'packages/verifier/test/publisher/check-signature.test.ts',
  'packages/verifier/test/verdict/{real-registries,verify}.test.ts',
];

/** Slow tests that build, install or start programs, and one that needs a browser. */
const programs = [
  'packages/cli/test/launch.test.ts',
  'packages/client/test/browser.test.ts',
  'test/integrations/action/action.test.ts',
  'test/templates/findings.test.ts',
  'test/tools/packages.test.ts',
];

/** Tests on the stack that need it for themselves: they stop its blocks, kill its functions, or change its roles or its lane. */
const disruptive = [
  'test/service/{access,conformance}/**/*.test.ts',
  'test/service/{forwarder,front-door,secrets,operators/admin}.test.ts',
];

/**
 * Makes a project whose test files share one local stack. They mostly wait for blocks. Vitest runs projects with different
 * numbers of workers one after the other, in the order of `groupOrder`.
 */
const onStack = (
  name: string,
  { maxWorkers, groupOrder }: { readonly maxWorkers: number; readonly groupOrder: number },
  setups: string[],
  include: string[],
  exclude: string[] = [],
) => ({
  ...fromSources,
  test: {
    ...{ env, name, maxWorkers, include, exclude, sequence: { groupOrder } },
    ...limits,
    globalSetup: ['test/service/stack/stack-setup.ts', ...setups],
    isolate: false,
  },
});

/** By default, Vitest reserves one core for its main process, which hardly uses it. */
const maxWorkers = '100%';

/** Makes a project of tests that do not need the local stack. */
const withoutStack = (name: string, options: NonNullable<TestProjectInlineConfiguration['test']>) => ({
  ...fromSources,
  test: { env, name, maxWorkers, ...limits, ...options },
});

/**
 * `unit` and `isolated` run on fakes. Some of their tests also start `python3` or anvil. `chain` runs on anvil, `faults` on
 * anvil and the emulator in simulated time, `service` and `clients` on the whole local stack, and `localstack` on the same
 * stack with LocalStack.
 */
export default defineConfig({
  test: {
    reporters: ['default'],
    sequence: { sequencer: MainPathsFirst },
    projects: [
      withoutStack('unit', {
        include: ['{test,packages/*/test,contracts/test}/**/*.test.ts'],
        exclude: ['test/{faults,service}/**', ...isolated, ...programs, ...chain],
        isolate: false,
      }),
      withoutStack('isolated', { include: isolated }),
      withoutStack('programs', { include: programs, globalSetup: [browser] }),
      withoutStack('chain', {
        include: chain,
        globalSetup: [browser],
        isolate: false,
      }),
      withoutStack('faults', {
        include: ['test/faults/**/*.test.ts'],
        isolate: false,
        globalSetup: ['test/fakes/real/real-emulator.ts', browser],
      }),
      onStack('service', { maxWorkers: 1, groupOrder: 1 }, [], disruptive),
      onStack(
        'clients',
        { maxWorkers: 3, groupOrder: 2 },
        [browser],
        ['test/service/**/*.test.ts'],
        ['test/service/localstack/**', ...disruptive],
      ),
      onStack(
        'localstack',
        { maxWorkers: 1, groupOrder: 3 },
        [],
        ['test/service/{conformance,localstack}/*.test.ts', 'test/service/setup.test.ts'],
      ),
    ],
  },
});
