import { existsSync, readFileSync } from 'node:fs';
import { type AttestationReference, formatReference, type ProofFile } from 'imprimatur-verifier';
import { beforeAll, expect, test } from 'vitest';
import { author } from '../../../contracts/test/chain/registry.ts';
import { registry, useRegistry } from '../../../contracts/test/chain/use-registry.ts';
import { article, attestArticle } from '../../verifier/test/attested-article.ts';
import { directoryWith, expectOutput, runWithoutService } from './run.ts';

let reference: AttestationReference;
let attestedAt: string;
useRegistry();
beforeAll(async () => {
  ({ reference } = await attestArticle(registry, author, article));
  const { timestamp } = await registry.chain.client.getBlock();
  attestedAt = `${new Date(Number(timestamp) * 1000).toISOString().slice(0, 19)}Z`;
});

const imprimatur = (...argv: string[]) => runWithoutService(argv);
const rpc = () => ['--rpc', registry.chain.rpcUrl];
const readProof = (path: string): ProofFile => JSON.parse(readFileSync(path, 'utf8'));

const files = () =>
  directoryWith({
    'article.md': article,
    'altered.md': `${article}.`,
    'article.proof.json': JSON.stringify({
      ...{ version: 1, reference, content: {}, attested: { time: attestedAt } },
      publisher: { domain: 'news.example' },
    }),
  });

test('prove completes a proof file from a node, and verify accepts it offline', async () => {
  const at = files();
  const { exitCode, out } = await imprimatur('prove', at('article.md'), ...rpc());
  const { storage, publisher } = readProof(at('article.proof.json'));
  expect({ exitCode, out }).toEqual({
    exitCode: 0,
    out: `wrote ${at('article.proof.json')}, a proof at block ${storage?.block.number} (not final yet), ${storage?.block.hash}\n`,
  });
  expect(publisher).toEqual({ domain: 'news.example' });
  const offline = ['--offline', '--block-hash', storage?.block.hash ?? ''];
  expect(await imprimatur('verify', at('article.md'), ...offline)).toMatchObject({ exitCode: 0 });
  const altered = ['verify', at('altered.md'), '--proof', at('article.proof.json'), ...offline];
  expect(await imprimatur(...altered)).toMatchObject({ exitCode: 1 });
});

test('prove writes a proof file beside a text with a reference, or to --out', async () => {
  const at = directoryWith({ 'text.txt': article });
  const named = ['--reference', formatReference(reference), ...rpc()];
  const { out } = await imprimatur('prove', at('text.txt'), ...named, '--json');
  expect(JSON.parse(out)).toMatchObject({ proof: at('text.proof.json'), block: { final: false } });
  await imprimatur('prove', at('text.txt'), ...named, '--out', at('kept.json'));
  expect(readProof(at('kept.json')).reference).toEqual(readProof(at('text.proof.json')).reference);
});

test('prove does not overwrite the proof file of another text', async () => {
  const at = files();
  const other = await attestArticle(registry, author, 'Another article.');
  const elsewhere = directoryWith({
    'article.md': 'Another article.',
    'article.proof.json': readFileSync(at('article.proof.json'), 'utf8'),
  });
  const argv = ['prove', elsewhere('article.md'), '--reference', formatReference(other.reference), ...rpc()];
  const { exitCode, error } = await imprimatur(...argv);
  expect({ exitCode, error }).toEqual({ exitCode: 2, error: expect.stringContaining('--out') });
  expect(readProof(elsewhere('article.proof.json')).reference).toEqual(
    readProof(at('article.proof.json')).reference,
  );
  expect((await imprimatur('prove', formatReference(reference), ...rpc())).exitCode).toBe(2);
});

test('prove writes nothing for an altered text or for input that is not a text', async () => {
  const at = directoryWith({ 'altered.md': `${article}.`, 'page.html': '<p>Nothing.</p>' });
  const named = ['--reference', formatReference(reference), ...rpc()];
  const { exitCode, out } = await imprimatur('prove', at('altered.md'), ...named);
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: expect.stringMatching(/^altered: /) });
  expect(existsSync(at('altered.proof.json'))).toBe(false);
  expect((await imprimatur('prove', at('page.html'), ...rpc())).exitCode).toBe(2);
  const proof = readFileSync(files()('article.proof.json'), 'utf8');
  const beside = directoryWith({ 'a.html': `<p>${article}</p>`, 'a.proof.json': proof });
  await expectOutput(
    imprimatur('prove', beside('a.html'), ...rpc()),
    1,
    `was checked as the text of ${beside('a.proof.json')}`,
  );
  expect(readFileSync(beside('a.proof.json'), 'utf8')).toBe(proof);
});

test('prove writes nothing if no provider answers', async () => {
  const at = files();
  const before = readFileSync(at('article.proof.json'), 'utf8');
  await expectOutput(imprimatur('prove', at('article.md'), '--rpc', 'http://127.0.0.1:1'), 2, /^unknown: /);
  expect(readFileSync(at('article.proof.json'), 'utf8')).toBe(before);
});
