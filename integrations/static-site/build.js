// Builds the site into `public`: a page and the exact text for each article. It marks a page with its attestation if its
// text is attested. In the first build after a change, the new text is not attested yet.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

const { IMPRIMATUR = 'npx imprimatur', READER_URL } = process.env;
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** IPFS CID of a text: CIDv1, codec raw, sha2-256, base32. */
function cidOf(text) {
  const bytes = [0x01, 0x55, 0x12, 0x20, ...createHash('sha256').update(text).digest()];
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return `b${bits.replace(/.{1,5}/g, (five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)])}`;
}

const escapeHtml = (text) => text.replace(/[&<]/g, (character) => (character === '&' ? '&amp;' : '&lt;'));

function pageOf(text) {
  const [title, ...paragraphs] = escapeHtml(text.toString())
    .trim()
    .split(/\n{2,}/);
  const body = paragraphs.map((paragraph) => `<p>${paragraph}</p>\n`).join('');
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body><article>
<h1>${title}</h1>
${body}</article></body>
</html>
`;
}

function isAttested(text, proof) {
  return existsSync(proof) && JSON.parse(readFileSync(proof, 'utf8')).reference.contentCid === cidOf(text);
}

rmSync('public', { recursive: true, force: true });
mkdirSync('public');
for (const file of readdirSync('articles').filter((name) => name.endsWith('.txt'))) {
  const [name, text] = [file.slice(0, -4), readFileSync(`articles/${file}`)];
  const [page, proof] = [`public/${name}.html`, `articles/${name}.proof.json`];
  copyFileSync(`articles/${file}`, `public/${file}`);
  writeFileSync(page, pageOf(text));
  if (!isAttested(text, proof)) continue;
  copyFileSync(proof, `public/${name}.proof.json`);
  const [command, ...args] = IMPRIMATUR.split(' ');
  const reader = READER_URL ? ['--reader', READER_URL] : [];
  const marks = ['html', page, '--proof', proof, '--text', file, ...reader, '--out', page];
  execFileSync(command, [...args, ...marks], { stdio: ['ignore', 'inherit', 'inherit'] });
}
