import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

/** An RPC provider may be anywhere, or a node of the reader's own on the same machine; nothing else is ever asked. */
const connections = 'https: http://localhost:* http://127.0.0.1:*';

/** The pages, each built from `page.tsx` and `page.css` in the folder of its name. */
const pages = [
  {
    name: 'reader',
    title: 'Check an attestation',
    description: 'Check whether a text is the attested one, using only the blockchain.',
    connections,
  },
  {
    name: 'authority',
    title: 'Who may publish in your name',
    description: 'Let a service attest texts in your name, change your delegate, or revoke the delegation.',
    // It reads and sends through the wallet alone.
    connections: "'none'",
  },
] as const;

/** Name of a page: its folder, and its file without `.html`. */
export type PageName = (typeof pages)[number]['name'];

/** A page in one file, which asks for no other. */
export interface BuiltPage {
  readonly name: PageName;
  readonly title: string;
  readonly html: string;
  /** Content security policy of the page, as in its `meta` element. */
  readonly policy: string;
  readonly bytes: number;
  readonly gzippedBytes: number;
}

const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function policyOf(script: string, style: string, connectSource: string): string {
  return [
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    `style-src ${sourceOf(style)}`,
    `connect-src ${connectSource}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** A comment's beginning would let a later "<script" in a text hide the element's end; elsewhere it is not written. */
const inside = (script: string) => script.replaceAll('<!--', '\\x3C!--');

function bundle(name: PageName): { script: string; style: string } {
  const entry = (file: string) => fileURLToPath(new URL(`${name}/${file}`, import.meta.url));
  const { outputFiles } = buildSync({
    entryPoints: [entry('page.tsx'), entry('page.css')],
    outdir: '/',
    ...{ bundle: true, minify: true, write: false, logLevel: 'warning' },
    ...{ platform: 'browser', format: 'iife', target: 'es2022' },
    conditions: ['imprimatur-source', 'module'],
    ...{ jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'inline' },
  });
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text.trim() ?? '';
  return { script: inside(textOf('.js')), style: textOf('.css') };
}

function buildPage({
  name,
  title,
  description,
  connections: connectSource,
}: (typeof pages)[number]): BuiltPage {
  const { script, style } = bundle(name);
  const policy = policyOf(script, style, connectSource);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript. The script is part of this file. Allow scripts to use the page.</noscript>
<script>${script}</script>
</body>
</html>
`;
  return { name, title, html, policy, bytes: Buffer.byteLength(html), gzippedBytes: gzipSync(html).length };
}

/** Policy for the header of a host, which can say what a `meta` element cannot: that nobody may frame the page. */
export function headerPolicy({ policy }: BuiltPage): string {
  return `${policy}; frame-ancestors 'none'`;
}

/** Builds every page. */
export function buildPages(): BuiltPage[] {
  return pages.map(buildPage);
}
