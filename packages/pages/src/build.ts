import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPages } from './build-pages.ts';

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`;

const [folder = fileURLToPath(new URL('../../../.local/web', import.meta.url))] = process.argv.slice(2);
const directory = resolve(folder);
mkdirSync(directory, { recursive: true });
for (const { name, html, bytes, gzippedBytes } of buildPages()) {
  const path = `${directory}/${name}.html`;
  writeFileSync(path, html);
  console.log(`built ${path}: ${kilobytes(bytes)}, ${kilobytes(gzippedBytes)} gzipped`);
}
console.log('Each file is a complete page: host it, or open it from disk.');
