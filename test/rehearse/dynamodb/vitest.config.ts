import { defineConfig } from 'vitest/config';

/** `npm run rehearse -- dynamodb`: the store's tests and the faults with AWS's own DynamoDB Local; no part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts', 'test/rehearse/dynamodb/*.spec.ts'],
    globalSetup: ['test/rehearse/dynamodb/dynamodb-local.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: '100%',
  },
});
