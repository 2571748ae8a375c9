import { execFileSync } from 'node:child_process';
import { describe, expect, it, test } from 'vitest';
import { id } from '../../client/test/attestations.ts';
import { apiKey } from '../../client/test/client-of.ts';
import { fakeApi } from '../../client/test/fake-api.ts';
import { file, run } from './run.ts';

const nowhere = { url: 'http://127.0.0.1:1', received: [] };

test.each(['attest', 'status', 'list', 'find', 'link', 'chains', 'quote'])(
  'has help for %s, with the exit codes',
  async (name) => {
    const { exitCode, out, error } = await run(nowhere, [name, '--help'], { variables: {} });
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
    expect(out).toContain(`Usage: imprimatur ${name}`);
    expect(out).toContain('--json');
    expect(out).toContain('Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 ');
  },
);

test('has help for all', async () => {
  const { exitCode, out } = await run(nowhere, ['--help'], { variables: {} });
  expect(exitCode).toBe(0);
  for (const text of [
    'attest',
    'status',
    'list',
    'link',
    'chains',
    'quote',
    'IMPRIMATUR_URL',
    'IMPRIMATUR_API_KEY',
    'IMPRIMATUR_ALLOW_HTTP',
  ]) {
    expect(out).toContain(text);
  }
});

test.each([
  ['no command', [], 'a command is missing; --help lists them'],
  ['an unknown command', ['attests'], "unknown command 'attests' (Did you mean attest?)"],
  ['no file', ['attest'], "missing required argument 'file'"],
  ['an unknown option', ['list', '--page', '2'], "unknown option '--page'"],
  [
    'two counts',
    ['list', '--all', '--limit', '2'],
    "option '--all' cannot be used with option '--limit <n>'",
  ],
])('refuses %s with one line and exit code 2', async (_, argv, complaint) => {
  expect(await run(nowhere, argv)).toEqual({ exitCode: 2, out: '', error: `imprimatur: ${complaint}\n` });
});

test.each([
  ['attest', 'a.md', '--chain', '0x1'],
  ['attest', 'a.md', '--chain', '0'],
  ['attest', 'a.md', '--url', 'example.org'],
  ['attest', 'a.md', '--url', 'file:///etc/passwd'],
  ['attest', 'a.md', '--timeout', '0'],
  ['attest', 'a.md', '--timeout', '1e3'],
  ['status', 'x'],
  ['link', id, '../x'],
  ['list', '--limit', '-1'],
  ['list', '--limit', '1.5'],
  ['find', '--url', 'example.org'],
  ['find', '--status', 'done'],
  ['find', '--since', 'yesterday'],
  ['find', '--until', '2026-11-22T09:00:00'],
])('refuses %s %s %s %s', async (...argv) => {
  const { exitCode, out, error } = await run(
    nowhere,
    argv.filter((word) => word !== undefined),
  );
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
  expect(error).toMatch(/^imprimatur: .* is invalid.*\. .*\n$/);
});

test('with --json prints a wrong usage as one JSON object too', async () => {
  const { exitCode, out } = await run(nowhere, ['--json', 'attest']);
  expect(exitCode).toBe(2);
  expect(JSON.parse(out)).toEqual({ error: "missing required argument 'file'" });
});

test.each([
  ['list', []],
  ['verify', ['-']],
])('an unforeseen error of %s has an exit code of its own, which is no answer', async (command, more) => {
  const broken = () => {
    throw new TypeError('it is broken');
  };
  const terminal = { connect: broken, readInput: broken };
  const { exitCode, out, error } = await run(nowhere, [command, ...more, '--json'], terminal);
  expect(exitCode).toBe(70);
  expect(error).toMatch(
    /^imprimatur: an error that was not foreseen; please report it\nTypeError: it is broken\n {4}at /,
  );
  expect(JSON.parse(out)).toEqual({ error: 'an error that was not foreseen; please report it' });
});

describe('the configuration', () => {
  it('is missed variable by variable', async () => {
    expect(await run(nowhere, ['list'], { variables: {} })).toEqual({
      exitCode: 2,
      out: '',
      error:
        "imprimatur: IMPRIMATUR_URL is not set: it is the service's URL\n" +
        'IMPRIMATUR_API_KEY is not set: it is an API key of your organisation\n',
    });
    const { error } = await run(nowhere, ['list'], { variables: { IMPRIMATUR_URL: 'https://example.org' } });
    expect(error).not.toContain('IMPRIMATUR_URL');
    expect(error).toContain('IMPRIMATUR_API_KEY is not set');
  });

  it('is never taken from a local stack, only suggested, by lines that a shell takes', async () => {
    const api = await fakeApi([200, { attestations: [] }]);
    const stackFile = file(JSON.stringify({ apiUrl: api.url, apiKey }));
    const { exitCode, error } = await run(api, ['list'], { variables: {}, stackFile });
    expect(exitCode).toBe(2);
    expect(api.received).toEqual([]);
    expect(error).not.toContain(apiKey);
    const exports = error.split('\n').filter((line) => line.startsWith('  export '));
    const script = `${exports.join('\n')}\nprintf %s "$IMPRIMATUR_URL $IMPRIMATUR_API_KEY"`;
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(`${api.url} ${apiKey}`);
  });

  it('refuses a URL over which the key can be read, unless told otherwise', async () => {
    const variables = { IMPRIMATUR_URL: 'http://example.invalid', IMPRIMATUR_API_KEY: apiKey };
    for (const IMPRIMATUR_ALLOW_HTTP of [undefined, '', '0']) {
      const refused = await run(nowhere, ['list'], { variables: { ...variables, IMPRIMATUR_ALLOW_HTTP } });
      expect(refused).toMatchObject({ exitCode: 2, error: expect.stringContaining('use https') });
    }
    const allowed = await run(nowhere, ['list'], { variables: { ...variables, IMPRIMATUR_ALLOW_HTTP: '1' } });
    expect(allowed).toMatchObject({ exitCode: 1, error: expect.stringContaining('no answer from http') });
  });

  it.each([
    [{ IMPRIMATUR_URL: 'example.org', IMPRIMATUR_API_KEY: apiKey }, 'url must be the http or https URL'],
    [{ IMPRIMATUR_URL: 'https://example.org', IMPRIMATUR_API_KEY: 'a secret\n' }, 'apiKey must be a key'],
  ])('is refused with exit code 2 when it cannot be used', async (variables, complaint) => {
    const { exitCode, error } = await run(nowhere, ['list'], { variables });
    expect(exitCode).toBe(2);
    expect(error).toContain(complaint);
    expect(error).not.toContain('secret');
  });
});
