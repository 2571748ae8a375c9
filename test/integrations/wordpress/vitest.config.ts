import { defineConfig } from 'vitest/config';

/** `npm run wordpress:test`: real WordPress, from Debian's packages; no part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/integrations/wordpress/*.spec.ts'],
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
});
