import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readList } from '../../src/files/read-list.ts';
import { directoryWith } from '../run.ts';

function listed(name: string, text: string) {
  const path = directoryWith({ [name]: text })(name);
  return readList(path).then((rows) =>
    rows.map(({ path: article, url }) => [article.replace(`${dirname(path)}/`, ''), url]),
  );
}

const [a, b] = ['https://example.org/a', 'https://example.org/b'];

test.each([
  ['list.csv', `url,file\n${a},a.md\n${b},b.md\n`],
  ['list.csv', `\ufefftitle,File,URL\r\n"One, two",a.md,${a}\r\n,b.md,${b}`],
  ['list.csv', `file,url\n"a.md","${a}"\n\n"b.md",${b}\n\n`],
  ['list.jsonl', `{"url":"${a}","file":"a.md"}\n\n{"file":"b.md","url":"${b}","title":"B"}\n`],
  ['list.ndjson', `{"url":"${a}","file":"a.md"}\r\n{"file":"b.md","url":"${b}"}`],
])('%s is read: %j', async (name, text) => {
  expect(await listed(name, text)).toEqual([
    ['a.md', a],
    ['b.md', b],
  ]);
});

test('a url may be missing, and fields may have quotes and line ends in them', async () => {
  expect(await listed('list.csv', 'file,url,title\n"a ""b"".md",,"x\ny"\n')).toEqual([
    ['a "b".md', undefined],
  ]);
  expect(await listed('list.jsonl', '{"file":"a.md","url":null}')).toEqual([['a.md', undefined]]);
});

test.each([
  ['list.csv', 'url\nhttps://a.example/', 'line 1: there is no column "file"'],
  ['list.csv', 'file,url\na.md,ftp://a.example/', 'line 2: the url must be an http or https URL'],
  ['list.csv', 'file,title\na.md,"x\ny"\n,z', 'line 4: no file is named'],
  ['list.csv', 'file\na.md\n"b.md', 'line 3: a quote has no end'],
  ['list.csv', 'file\na.md\n./a.md', 'a.md stands in line 2 already'],
  ['list.jsonl', '{"file":"a.md"}\n["b.md"]', 'line 2: it is not {"url"'],
  ['list.jsonl', '{"file":"a.md","url":7}', 'line 1: the url is no text'],
  ['list.jsonl', '{"file":7}', 'line 1: no file is named'],
])('%s is refused with its line: %j', async (name, text, complaint) => {
  await expect(listed(name, text)).rejects.toThrow(complaint);
});

test('files are found from where the list is', async () => {
  const at = directoryWith({ 'list.csv': 'file\nx/a.md\n' });
  expect(await readList(at('list.csv'))).toEqual([
    { path: join(dirname(at('list.csv')), 'x/a.md'), url: undefined },
  ]);
});
