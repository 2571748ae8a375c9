import { brotliDecompressSync } from 'node:zlib';
import page from './docs-page.json' with { type: 'json' };
import { publicText } from './http/public-text.ts';

const text = brotliDecompressSync(Buffer.from(page.html, 'base64')).toString();

export const handler = publicText({
  type: 'text/html; charset=utf-8',
  text,
  headers: { 'Content-Security-Policy': page.policy },
});
