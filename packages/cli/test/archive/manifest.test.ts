import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { lockManifest } from '../../src/archive/lock.ts';
import { Manifest, type ManifestEntry, readManifest } from '../../src/archive/manifest.ts';
import { directoryWith } from '../run.ts';

const subject = { chainId: 31337, authorityAddress: '0xa' };

const entry = (file: string, status: ManifestEntry['status'] = 'pending'): ManifestEntry => ({
  ...{ file, contentCid: 'b', id: `id-${file}`, status },
});

const pathOf = () => directoryWith({})('m.jsonl');

const filesIn = async (path: string) => [...(await readManifest(path, subject)).entries.keys()];

test('an entry is in the file as soon as it is put', async () => {
  const path = pathOf();
  const manifest = await Manifest.open(path, subject);
  await Promise.all([manifest.put([entry('b'), entry('a')]), manifest.put([entry('c')])]);
  expect(await filesIn(path)).toEqual(['b', 'a', 'c']);
  await manifest.close();
});

test('what is put after a line that a crash cut off is not lost in it', async () => {
  const path = pathOf();
  const first = await Manifest.open(path, subject);
  await first.put([entry('a')]);
  appendFileSync(path, readFileSync(path, 'utf8').slice(0, 20));
  const second = await Manifest.open(path, subject);
  await second.put([entry('b')]);
  // Killed here: nothing is closed.
  expect(await filesIn(path)).toEqual(['a', 'b']);
});

test('the last line of a file counts; in the end there is one for each, in order', async () => {
  const path = pathOf();
  const manifest = await Manifest.open(path, subject);
  await manifest.put([entry('b'), entry('a'), entry('b', 'confirmed')]);
  expect((await readManifest(path, subject)).entries.get('b')).toMatchObject({ status: 'confirmed' });
  await manifest.close();
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...entry('a'), ...subject },
    { ...entry('b', 'confirmed'), ...subject },
  ]);
});

test('one run at a time has a manifest; one that was killed has it no more', async () => {
  const path = pathOf();
  const release = await lockManifest(path);
  await expect(lockManifest(path)).rejects.toThrow(`the process ${process.pid} on ${hostname()} is at work`);
  await release();
  // No process has a number this high.
  writeFileSync(`${path}.running`, JSON.stringify({ pid: 2 ** 30, host: hostname() }));
  await (await lockManifest(path))();
  writeFileSync(`${path}.running`, JSON.stringify({ pid: 2 ** 30, host: 'another' }));
  await expect(lockManifest(path)).rejects.toThrow('the process 1073741824 on another is at work');
});
