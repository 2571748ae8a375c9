import { defineConfig } from 'vitest/config';

/** `unit` runs on fakes, `chain` on a real anvil, `faults` on anvil and the emulator in simulated time, `service` on the whole local stack. */
export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/{contracts,verifier,faults,service}/**'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'chain',
          include: ['test/{contracts,verifier}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          globalSetup: ['test/fakes/real/real-emulator.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'service',
          include: ['test/service/**/*.test.ts'],
          globalSetup: ['test/service/stack/stack-setup.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // One stack, two cores: files take turns.
          fileParallelism: false,
        },
      },
    ],
  },
});
