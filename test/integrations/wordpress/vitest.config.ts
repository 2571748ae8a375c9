import { defineConfig } from 'vitest/config';

/** Packages of this checkout are taken from their sources. */
const resolve = { conditions: ['imprimatur-source', 'node', 'import', 'default'] };

/** Runs the plugin in a real WordPress from Debian packages. Not part of `npm test`. */
export default defineConfig({
  resolve,
  ssr: { resolve },
  test: { include: ['test/integrations/wordpress/*.spec.ts'], testTimeout: 60_000, hookTimeout: 300_000 },
});
