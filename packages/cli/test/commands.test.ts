import { execFileSync } from 'node:child_process';
import { describe, expect, it, test } from 'vitest';
import {
  apiKey,
  attestation,
  childId,
  confirmed,
  type FakeAnswer,
  fakeApi,
  id,
} from '../../client/test/fake-api.ts';
import { expectError, expectOutput, file, noService, run, runWithoutService } from './run.ts';

const lines = (text: string) => text.trimEnd().split('\n');

describe('status', () => {
  it.each(['pending', 'failed'] as const)('shows a %s attestation and exits with 0', async (status) => {
    const api = await fakeApi([200, attestation({ status })]);
    expect(await run(api, ['status', id, '--json'])).toEqual({
      exitCode: 0,
      out: `${JSON.stringify(attestation({ status }))}\n`,
      error: '',
    });
  });

  it('waits for the confirmation', async () => {
    const api = await fakeApi([200, attestation()], [200, attestation(confirmed)]);
    await expectOutput(run(api, ['status', id, '--wait']), 0, 'confirmed');
  });

  it('reports a revocation', async () => {
    const revokedAt = '2026-11-22T09:30:12.000Z';
    const api = await fakeApi([200, attestation({ ...confirmed, revokedAt })]);
    const { exitCode, out } = await run(api, ['status', id]);
    expect(exitCode).toBe(0);
    expect(out).toMatch(new RegExp(`^revokedAt +${revokedAt}$`, 'm'));
    expect(lines(out).at(-1)).toContain('does not verify');
  });

  it('escapes control characters in a URL', async () => {
    const api = await fakeApi([200, attestation({ url: 'https://example.org/\u001b[2J' })]);
    expect((await run(api, ['status', id])).out).toContain('https://example.org/\\u{1b}[2J\n');
  });
});

describe('list', () => {
  const page = (more: boolean, ...ids: string[]): FakeAnswer => [
    200,
    { attestations: ids.map((id) => attestation({ id })) },
    more ? { link: `</v1/attestations?limit=2&cursor=${ids.at(-1)}>; rel="next"` } : {},
  ];

  it('shows a table, and whether there are more', async () => {
    const api = await fakeApi(page(true, childId, id));
    const { out } = await run(api, ['list', '--limit', '2']);
    expect(lines(out)).toEqual([
      expect.stringMatching(/^ID +STATUS +CHAIN +CREATED +URL OR CID$/),
      expect.stringMatching(new RegExp(`^${childId} +pending +31337 +2026-11-21T12:00:00.000Z +bafk`)),
      expect.stringContaining(id),
      'There are more: pass a larger --limit or --all.',
    ]);
    expect(api.received.map(({ url }) => url)).toEqual(['/v1/attestations?limit=2']);
  });

  it('shows which attestations were revoked', async () => {
    const revokedAt = '2026-11-22T09:30:12.000Z';
    const attestations = [attestation({ ...confirmed, revokedAt }), attestation(confirmed)];
    const api = await fakeApi([200, { attestations }]);
    const [, first, second] = lines((await run(api, ['list'])).out);
    expect(first).toMatch(new RegExp(`^${id} +confirmed, revoked +31337 `));
    expect(second).toMatch(new RegExp(`^${id} +confirmed +31337 `));
  });

  it('reads as many pages as necessary', async () => {
    const api = await fakeApi(page(true, childId), page(false, id));
    const { out } = await run(api, ['list', '--limit', '201', '--json']);
    expect(JSON.parse(out)).toMatchObject({ attestations: [{ id: childId }, { id }], more: false });
    expect(api.received.map(({ url }) => url)).toEqual([
      '/v1/attestations?limit=200',
      `/v1/attestations?limit=200&cursor=${childId}`,
    ]);
  });

  it('shows all with --all', async () => {
    const api = await fakeApi(page(true, childId), page(true, childId), page(false, id));
    const { out } = await run(api, ['list', '--all']);
    expect(lines(out)).toHaveLength(4);
    expect(api.received).toHaveLength(3);
  });

  it('prints how to create the first attestation', async () => {
    const { out } = await run(await fakeApi(page(false)), ['list']);
    expect(out).toContain('No attestations yet');
  });
});

describe('find', () => {
  const cid = 'bafkreigocfd73qwawk5orcdbbhe6u4yscos32wi6a5k7d7b6y2m3l4fqam';
  const found: FakeAnswer = [200, { attestations: [attestation()] }];
  const queryOf = async (...argv: string[]) => {
    const api = await fakeApi(found);
    const { exitCode, error } = await run(api, ['find', ...argv]);
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
    return Object.fromEntries(new URL(api.received[0]?.url ?? '', api.url).searchParams);
  };

  it('finds a file by the CID of its bytes', async () => {
    expect(await queryOf(file('\ufeffhello\r\n'))).toEqual({ contentCid: cid, limit: '50' });
  });

  it('sends all conditions', async () => {
    const url = 'https://paper.example/ä?b=c&d';
    const argv = ['--cid', cid, '--url', url, '--status', 'failed', '--limit', '3'];
    expect(await queryOf(...argv, '--since', '2026-11-22', '--until', '2026-11-22T09:00:00+01:00')).toEqual({
      ...{ contentCid: cid, url, status: 'failed', limit: '3' },
      ...{ createdAfter: '2026-11-22', createdBefore: '2026-11-22T09:00:00+01:00' },
    });
  });

  it.each([
    [['--url', 'https://paper.example/'], 'No attestation matches.\n'],
    [['-'], 'You have no attestation of bafkrei'],
    [['-', '--status', 'failed'], 'No attestation matches.\n'],
  ])('exits with 4 if there is none: %s', async (argv, text) => {
    const none: FakeAnswer = [200, { attestations: [] }];
    const readInput = async () => Buffer.from('a');
    const { exitCode, out } = await run(await fakeApi(none), ['find', ...argv], { readInput });
    expect(exitCode).toBe(4);
    expect(out).toContain(text);
    const json = await run(await fakeApi(none), ['find', ...argv, '--json'], { readInput });
    expect([json.exitCode, JSON.parse(json.out)]).toEqual([4, { attestations: [], more: false }]);
  });

  it.each([
    [[], 'missing condition'],
    [['article.md', '--cid', cid], 'a file or --cid, not both'],
    [['/nowhere/article.md'], 'cannot read /nowhere/article.md: no such file'],
    [['/tmp'], 'cannot read /tmp: it is a directory'],
  ])('refuses %s and exits with 2', async (argv, message) => {
    const api = await fakeApi(found);
    await expectError(run(api, ['find', ...argv]), 2, message);
    expect(api.received).toEqual([]);
  });
});

describe('link', () => {
  const queued = attestation({ ...confirmed, childAttestationId: childId });
  const linked = { ...queued, childLinkTxHash: '0x77' };

  it('prints how to wait for a queued link', async () => {
    await expectOutput(
      run(await fakeApi([202, queued]), ['link', id, childId]),
      0,
      `\nto wait for it: npx imprimatur link ${id} ${childId} --wait\n`,
    );
  });

  it('waits for its transaction', async () => {
    const api = await fakeApi([202, queued], [200, queued], [200, linked]);
    const { exitCode, out, error } = await run(api, ['link', id, childId, '--wait', '--json']);
    expect({ exitCode, error }).toEqual({
      exitCode: 0,
      error: '    0 s  confirmed: waiting for the link to be mined\n    5 s  linked in 0x77\n',
    });
    expect(JSON.parse(out)).toEqual({ ...linked, queued: false });
  });

  it('does not wait for a link that exists', async () => {
    const api = await fakeApi([200, linked]);
    await run(api, ['link', id, childId, '--wait']);
    expect(api.received).toHaveLength(1);
  });
});

test('chains shows the delegate and the state of the delegation', async () => {
  const chain = { chainId: 1, name: 'Ethereum', registryAddress: '0xa', delegateAddress: '0xb' };
  const chains = [true, false, null].map((delegationActive) => ({ ...chain, delegationActive }));
  const { out } = await run(await fakeApi([200, { chains }]), ['chains']);
  expect(lines(out).map((line) => line.split(/ {2,}/))).toEqual([
    ['CHAIN', 'NAME', 'DELEGATION', 'DELEGATE TO', 'REGISTRY'],
    ['1', 'Ethereum', 'active', '0xb', '0xa'],
    ['1', 'Ethereum', 'not active', '0xb', '0xa'],
    ['1', 'Ethereum', 'unknown: chain unreachable', '0xb', '0xa'],
  ]);
});

test('the help of each command matches its snapshot', async () => {
  const helpOf = async (name: string, argv: string[]) => {
    const { exitCode, out, error } = await runWithoutService([...argv, '--help']);
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
    await expect(out).toMatchFileSnapshot(`help/${name}.txt`);
    return out;
  };
  const main = await helpOf('imprimatur', []);
  const commands = main.matchAll(/^ {2}(?!help|imprimatur)([a-z]+) .*$/gm);
  for (const [, name = ''] of commands) await helpOf(name, [name]);
});

test.each([
  ['a missing command', [], 'missing command; --help lists all commands'],
  ['an unknown command', ['attests'], "unknown command 'attests' (Did you mean attest?)"],
  ['a missing file', ['attest'], "missing required argument 'file'"],
  ['an unknown option', ['list', '--page', '2'], "unknown option '--page'"],
  [
    '--all with --limit',
    ['list', '--all', '--limit', '2'],
    "option '--all' cannot be used with option '--limit <n>'",
  ],
])('refuses %s with one line and exits with 2', async (_, argv, message) => {
  expect(await run(noService, argv)).toEqual({ exitCode: 2, out: '', error: `imprimatur: ${message}\n` });
});

test.each([
  'attest a.md --chain 0x1',
  'attest a.md --url example.org',
  'attest a.md --timeout 1e3',
  'status x',
  `link ${id} ../x`,
  'list --limit 1.5',
  'find --url example.org',
  'find --status done',
  'find --since yesterday',
  'find --until 2026-11-22T09:00:00',
])('refuses %s', async (line) => {
  await expectError(run(noService, line.split(' ')), 2, /^imprimatur: .* is invalid.*\. .*\n$/);
});

test('--json prints a usage error as one JSON object', async () => {
  const { exitCode, out } = await run(noService, ['--json', 'attest']);
  expect(exitCode).toBe(2);
  expect(JSON.parse(out)).toEqual({ error: "missing required argument 'file'" });
});

test('an unexpected error exits with 70', async () => {
  const connect = () => {
    throw new TypeError('it is broken');
  };
  const { exitCode, out, error } = await run(noService, ['list', '--json'], { connect });
  const message = 'unexpected error; please report it';
  expect([exitCode, JSON.parse(out)]).toEqual([70, { error: message }]);
  expect(error).toContain(`imprimatur: ${message}\nTypeError: it is broken\n    at `);
});

describe('the configuration', () => {
  it('names each missing variable', async () => {
    const variables = { IMPRIMATUR_URL: 'https://example.org' };
    const keyLine = 'IMPRIMATUR_API_KEY is not set; set it to an API key of your organization\n';
    expect((await run(noService, ['list'], { variables })).error).toBe(`imprimatur: ${keyLine}`);
    expect(await runWithoutService(['list'])).toEqual({
      ...{ exitCode: 2, out: '' },
      error: `imprimatur: IMPRIMATUR_URL is not set; set it to the URL of the service\n${keyLine}`,
    });
  });

  it('suggests a local stack with lines for a shell, but never uses it automatically', async () => {
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

  it('refuses a URL over which others could read the key, unless http is allowed', async () => {
    const variables = { IMPRIMATUR_URL: 'http://example.invalid', IMPRIMATUR_API_KEY: apiKey };
    const listWith = (allowed: string) =>
      run(noService, ['list'], { variables: { ...variables, IMPRIMATUR_ALLOW_HTTP: allowed } });
    await expectError(listWith('0'), 2, 'use https');
    await expectError(listWith('1'), 1, 'no answer from http');
  });
});
