import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: 'src/main.ts',
  platform: 'node',
  target: 'node20',
  fixedExtension: false,
  dts: false,
  deps: { onlyBundle: false },
});
