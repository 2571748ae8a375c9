import { defineConfig } from 'vitest/config';

/** `npm run dynamodb:test`: the store's tests and the faults with AWS's own DynamoDB Local; no part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts', 'test/dynamodb-local/*.spec.ts'],
    globalSetup: ['test/dynamodb-local/dynamodb-local.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: '100%',
  },
});
