import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

/** Hosts that a page may connect to: RPC providers or the service on any host, or on the person's machine. */
const connections = 'https: http://localhost:* http://127.0.0.1:*';

/** Each page is built from `page.tsx` and `page.css` in the folder with its name. */
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
    description: 'Let a service attest texts in your name. Change your delegate, or revoke the delegation.',
    // This page communicates only with the wallet.
    connections: "'none'",
  },
  {
    name: 'console',
    title: 'Attest, correct and quote your texts',
    description: 'For publishers: see your attestations, attest a text, correct it, and quote it.',
    connections,
  },
] as const;

/** Name of a page: the name of its folder, and of its file without `.html`. */
export type PageName = (typeof pages)[number]['name'];

export interface BuiltPage {
  readonly name: PageName;
  readonly title: string;
  readonly html: string;
  /** Content security policy in the page's `meta` element. */
  readonly policy: string;
  readonly bytes: number;
  readonly gzippedBytes: number;
}

const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function policyOf(script: string, style: string, connectSource: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashSource(script)}`,
    `style-src ${hashSource(style)}`,
    `connect-src ${connectSource}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** Escapes `<!--`: after it, "<script" in a string would hide the end tag of the element. */
const escapeScript = (script: string) => script.replaceAll('<!--', '\\x3C!--');

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
  return { script: escapeScript(textOf('.js')), style: textOf('.css') };
}

/** Element that names the service which publishers sign in to. */
const serviceElement = (url: string) => `<meta name="imprimatur-service" content="${url}">`;

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
${name === 'console' ? serviceElement('') : ''}<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript. The script is part of this file. To use the page, allow scripts.</noscript>
<script>${script}</script>
</body>
</html>
`;
  return { name, title, html, policy, bytes: Buffer.byteLength(html), gzippedBytes: gzipSync(html).length };
}

/** Returns the policy for the HTTP header, the only place where `frame-ancestors` has an effect. */
export function headerPolicy({ policy }: BuiltPage): string {
  return `${policy}; frame-ancestors 'none'`;
}

export function buildPages(): BuiltPage[] {
  return pages.map(buildPage);
}

/** Returns the HTML of a page that a service hosts: publishers need not enter the service's URL. */
export function htmlFor({ html }: BuiltPage, serviceUrl: string): string {
  return html.replace(serviceElement(''), serviceElement(serviceUrl));
}
