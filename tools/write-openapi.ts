import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { openApiDocument } from '../functions/api/openapi/document.ts';
import { docsPage } from './docs-page.ts';

const documentFile = new URL('../docs/openapi.json', import.meta.url);
const pageFile = new URL('../functions/api/docs-page.json', import.meta.url);

const require = createRequire(import.meta.url);
const rendererFile = (name: string) => readFileSync(require.resolve(`swagger-ui-dist/${name}`), 'utf8');

/** The contents that the committed files must have. */
function currentFiles() {
  return {
    document: openApiDocument(),
    page: docsPage({
      script: rendererFile('swagger-ui-bundle.js'),
      style: rendererFile('swagger-ui.css'),
      license: ['NOTICE', 'LICENSE', 'swagger-ui-bundle.js.LICENSE.txt'].map(rendererFile).join('\n'),
      ownLicense: readFileSync(new URL('../LICENSE', import.meta.url), 'utf8'),
    }),
  };
}

/**
 * Reads the committed contents. Decompresses the page, because other versions of Node may compress it differently.
 */
function committedFiles() {
  const { policy, html } = JSON.parse(readFileSync(pageFile, 'utf8'));
  return {
    document: JSON.parse(readFileSync(documentFile, 'utf8')),
    page: { html: brotliDecompressSync(Buffer.from(html, 'base64')).toString(), policy },
  };
}

function check(): void {
  if (JSON.stringify(committedFiles()) === JSON.stringify(currentFiles())) return;
  console.error(
    'docs/openapi.json or docs-page.json differs from the sources: run node tools/write-openapi.ts',
  );
  process.exitCode = 1;
}

function write(): void {
  const { document, page } = currentFiles();
  const packed = brotliCompressSync(page.html).toString('base64');
  writeFileSync(documentFile, `${JSON.stringify(document, null, 2)}\n`);
  writeFileSync(pageFile, `${JSON.stringify({ policy: page.policy, html: packed }, null, 2)}\n`);
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
if (values.check) check();
else write();
