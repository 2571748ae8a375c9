import { defineConfig } from 'tsdown';

export default defineConfig({ entry: 'src/imprimatur.ts', platform: 'neutral', target: 'es2022' });
