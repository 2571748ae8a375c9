import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { author } from '../../../contracts/test/chain/registry.ts';
import { registry, useRegistry } from '../../../contracts/test/chain/use-registry.ts';
import { checkout } from '../../../local/checkout.ts';
import { useBrowser } from '../../../test/browser/use-browser.ts';
import { checkPublisher, formatReference, type ProofFile, verify, verifyOffline } from '../src/verifier.ts';
import { type AttestedArticle, article, attestArticle } from './attested-article.ts';
import { fileOf, signedEntry } from './publisher/entries.ts';

const maxGzippedBytes = 100_000;

let bundle: string;
let attested: AttestedArticle;
let page: Page;

useRegistry();
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [`${checkout}/packages/verifier/src/verifier.ts`],
    ...{ bundle: true, minify: true, write: false },
    ...{ platform: 'browser', format: 'iife', globalName: 'verifier', target: 'es2022' },
  });
  bundle = outputFiles[0]?.text ?? '';
  attested = await attestArticle(registry, author, article);
});
useBrowser(async (browser) => {
  page = await browser.newPage();
  await page.addScriptTag({ content: bundle });
});

test("the library's bundle for browsers is at most 100 kB, gzipped", () => {
  expect(bundle).not.toBe('');
  expect(gzipSync(bundle, { level: 9 }).length).toBeLessThanOrEqual(maxGzippedBytes);
});

/** Runs a page's script with the library. */
const inPage = (script: string, ...args: readonly unknown[]): Promise<unknown> =>
  page.evaluate(`(async (...args) => {
    const { checkPublisher, exactText, textOfMarkup, takeProof, verify, verifyOffline } = verifier;
    ${script}
  })(...${JSON.stringify(args)})`);

test('`takeProof` and `verifyOffline` return the same in a browser and in Node', async () => {
  const line = formatReference(attested.reference);
  const script = `const proof = await takeProof(args[0], args[1], { text: args[2] });
    const options = { blockHash: proof.storage.block.hash, text: args[2], now: new Date(args[3]) };
    return { proof, verdict: await verifyOffline(proof, options) };`;
  const now = '2026-11-22T12:00:00Z';
  const taken = await inPage(script, line, [registry.chain.rpcUrl], article, now);
  const { proof, verdict } = taken as { proof: ProofFile; verdict: unknown };
  const options = { blockHash: proof.storage?.block.hash ?? '', text: article, now: new Date(now) };
  const inNode = await verifyOffline(JSON.stringify(proof), options);
  expect(inNode.outcome).toBe('verified');
  expect(verdict).toEqual(JSON.parse(JSON.stringify(inNode)));
});

test('`checkPublisher` returns the same in a browser and in Node', async () => {
  const verdict = await verify(attested.reference, { providers: [registry.chain.rpcUrl] });
  const since = '2020-01-01T00:00:00Z';
  for (const domain of ['example.org', 'bücher.example', 'ex\u0430mple.org'])
    for (const signed of [domain, 'example.com']) {
      const file = fileOf(await signedEntry(signed, 1, { chainIds: [31_337], since }));
      const inNode = await checkPublisher(verdict, domain, file);
      expect(inNode.outcome).toBe(signed === domain ? 'vouches' : 'unknown');
      const script = 'return checkPublisher(args[0], args[1], args[2]);';
      expect(await inPage(script, verdict, domain, file)).toEqual(JSON.parse(JSON.stringify(inNode)));
    }
});

test('`exactText` returns the texts of the vectors in a browser', async () => {
  const { markdown, html } = JSON.parse(readFileSync('test/vectors/exact-text.json', 'utf8'));
  const script = `const ofHtml = (source) => exactText(textOfMarkup(new DOMParser().parseFromString(source, 'text/html')));
    return { markdown: args[0].map(({ input }) => exactText(input)), html: args[1].map(({ input }) => ofHtml(input)) };`;
  const textsOf = (vectors: readonly { text: string }[]) => vectors.map(({ text }) => text);
  expect(await inPage(script, markdown, html)).toEqual({ markdown: textsOf(markdown), html: textsOf(html) });
});
