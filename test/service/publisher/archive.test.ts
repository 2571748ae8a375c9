import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { localClient } from '../../../local/stack/local-client.ts';
import { runPublisher } from '../../../packages/cli/src/run-publisher.ts';
import { article, newPublisher, type Publisher } from '../stack/publisher.ts';
import { stack } from '../stack/running-stack.ts';

async function attest({ apiKey }: Publisher, argv: readonly string[]): Promise<number> {
  return runPublisher(['attest', ...argv], {
    variables: { IMPRIMATUR_URL: stack.apiUrl, IMPRIMATUR_API_KEY: apiKey },
    stackFile: '/nowhere/stack.json',
    signal: new AbortController().signal,
    connect: () => localClient({ apiUrl: stack.apiUrl, apiKey }),
    readInput: async () => new Uint8Array(),
    isColored: false,
    write: () => {},
    errors: { write: () => {} },
  });
}

test('`imprimatur attest` attests each text of a folder once, and links a changed file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [publisher, texts] = [await newPublisher(), [article(), article(), article()]];
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  for (const [at, text] of [...texts, texts[0] ?? ''].entries()) write(`${at}.md`, text);
  const argv = [folder, '--yes', '--proof', '--manifest', join(folder, 'imprimatur.lock.jsonl')];
  expect(await attest(publisher, argv)).toBe(0);
  write('1.md', article('corrected'));
  expect(await attest(publisher, [...argv, '--link-corrections'])).toBe(0);
  const lines = readFileSync(join(folder, 'imprimatur.lock.jsonl'), 'utf8').trimEnd().split('\n');
  const [first, corrected, third, same] = lines.map((line) => JSON.parse(line));
  const { attestations } = (await publisher.api.list()).body as { attestations: Record<string, unknown>[] };
  expect(attestations).toHaveLength(4);
  expect(attestations.every(({ status }) => status === 'confirmed')).toBe(true);
  expect(same.id).toBe(first.id);
  const known = [first.id, corrected.id, third.id];
  const [former] = attestations.filter(({ id }) => !known.includes(id));
  expect(former).toMatchObject({ childAttestationId: corrected.id, childLinkTxHash: expect.any(String) });
  const proof = JSON.parse(readFileSync(join(folder, '1.proof.json'), 'utf8'));
  expect(proof.reference.contentCid).toBe(corrected.contentCid);
});
