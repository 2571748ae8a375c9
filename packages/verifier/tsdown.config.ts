import { defineConfig } from 'tsdown';

/** Everything is bundled, so that a program that checks the service depends on no package. */
const bundled = { target: 'es2022', fixedExtension: false, deps: { onlyBundle: false } } as const;

export default defineConfig([
  { ...bundled, entry: ['src/verifier.ts', 'src/delegation.ts'], platform: 'browser' },
  { ...bundled, entry: ['src/main.ts', 'src/network/public-address.ts'], platform: 'node' },
]);
