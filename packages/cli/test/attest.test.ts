import { mkdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiKey, attestation, confirmed, fakeApi, id } from '../../client/test/fake-api.ts';
import { InterruptedError } from '../src/errors.ts';
import { directoryWith, file, run } from './run.ts';

const { contentCid, chainId, authorityAddress } = attestation();
const summary = { id, status: 'pending', contentCid, chainId, authorityAddress };

describe('attest', () => {
  it('sends the file exactly, with what is said of it', async () => {
    const api = await fakeApi([202, summary]);
    const content = '\ufeffA title\r\n\r\nna\u0308ive \n\n';
    const metadata = file('\ufeff{"section": "news"}');
    const options = ['--chain', '31337', '--url', 'https://example.org/1', '--metadata', metadata];
    expect(await run(api, ['attest', file(content), ...options])).toMatchObject({ exitCode: 0, error: '' });
    expect(JSON.parse(api.received[0]?.body ?? '')).toEqual({
      content,
      chainId: 31337,
      url: 'https://example.org/1',
      metadata: { section: 'news' },
    });
  });

  it('prints one JSON object for scripts, which tells new from known', async () => {
    const { out } = await run(await fakeApi([200, summary]), ['attest', file('a'), '--json']);
    expect(JSON.parse(out)).toEqual({ ...summary, created: false });
  });
});

describe('attest, on a chain that refuses', () => {
  const refused = [409, { error: 'no active delegation for chain 1', chainId: 1 }] as const;
  const chain = { chainId: 31337, name: 'Local' };
  const argv = () => ['attest', file('a'), '--chain', '1'];

  it('says that the service does not serve the chain, and which it serves', async () => {
    const { exitCode, error } = await run(await fakeApi(refused, [200, { chains: [chain] }]), argv());
    expect(exitCode).toBe(1);
    expect(error).toBe('imprimatur: the service does not serve chain 1; its chains: 31337 (Local)\n');
  });

  it.each([
    ['is served', [200, { chains: [chain, { chainId: 1 }] }] as const],
    ['cannot be looked up', [401, { error: 'invalid or missing API key' }] as const],
  ])('says what the service says of a chain that %s', async (_, chains) => {
    const { error } = await run(await fakeApi(refused, chains), argv());
    expect(error).toMatch(/^imprimatur: no active delegation for chain 1; /);
  });
});

describe('attest, of content that was attested before', () => {
  const said = (url: string | undefined) => [200, attestation(url === undefined ? {} : { url })] as const;
  const argv = () => ['attest', file('a'), '--url', 'https://new.example/'];

  it('says that the first URL stands', async () => {
    const api = await fakeApi([200, summary], said('https://old.example/'));
    expect(await run(api, argv())).toMatchObject({
      exitCode: 0,
      error:
        'imprimatur: attested before with https://old.example/, which stands: https://new.example/ was not taken\n',
    });
    expect((await run(await fakeApi([200, summary], said(undefined)), argv())).error).toContain(
      'with no URL',
    );
  });

  it('says nothing of the same URL, nor of content that is new', async () => {
    for (const answers of [[[200, summary], said('https://new.example/')], [[202, summary]]] as const)
      expect((await run(await fakeApi(...answers), argv())).error).toBe('');
  });

  it('says that metadata may not have been taken', async () => {
    const api = await fakeApi([200, summary]);
    const { error } = await run(api, ['attest', file('a'), '--metadata', file('{}')]);
    expect(error).toBe('imprimatur: attested before: if it was with other metadata, that stands\n');
  });
});

describe('attest --wait', () => {
  const argv = (...more: string[]) => ['attest', file('a'), '--wait', ...more];

  it('shows each change on standard error, and the confirmed attestation at the end', async () => {
    const api = await fakeApi(
      [202, summary],
      [200, attestation()],
      [200, attestation()],
      [200, attestation({ status: 'committed', commitTxHash: '0xc1' })],
      [200, attestation({ ...confirmed, revealTxHash: '0xe1' })],
    );
    const { exitCode, out, error } = await run(api, argv());
    expect(exitCode).toBe(0);
    expect(error).toBe(
      '    0 s  pending\n   10 s  committed in 0xc1, reveal delay of about 60 s\n   15 s  confirmed as number 7 in 0xe1\n',
    );
    expect(out).toContain('status            confirmed\n');
    expect(out).toContain('attestationIndex  7\n');
  });

  it('fails with the message of an attestation that failed', async () => {
    const failed = attestation({ status: 'failed', error: 'internal error; submit the content again' });
    const { exitCode, out, error } = await run(await fakeApi([202, summary], [200, failed]), argv('--json'));
    expect(exitCode).toBe(1);
    const message = 'the attestation failed: internal error; submit the content again';
    expect(error).toBe(`    0 s  failed\nimprimatur: ${message}\n`);
    expect(JSON.parse(out)).toEqual({ error: message, attestation: failed });
  });

  it('ends with exit code 3 when time is up, and says how to look again', async () => {
    const api = await fakeApi([202, summary], [200, attestation()]);
    const { exitCode, out, error } = await run(api, ['attest', file('a'), '--timeout', '7', '--json']);
    expect(exitCode).toBe(3);
    const message = `not confirmed after 7 s, still pending; it goes on; look again with: imprimatur status ${id} --wait`;
    expect(error).toBe(`    0 s  pending\nimprimatur: ${message}\n`);
    expect(JSON.parse(out)).toEqual({ error: message, attestation: attestation() });
  });
});

it('is stopped by Ctrl-C while it reads standard input, too', async () => {
  const api = await fakeApi([202, summary]);
  const controller = new AbortController();
  const readInput = async () => {
    controller.abort(new InterruptedError(130));
    throw new Error('The operation was aborted');
  };
  const { exitCode, error } = await run(api, ['attest', '-'], { readInput, signal: controller.signal });
  expect({ exitCode, error }).toEqual({
    exitCode: 130,
    error:
      'imprimatur: interrupted; what the service has accepted goes on, and the same command may be run again\n',
  });
  expect(api.received).toEqual([]);
});

it.each([
  [
    400,
    { error: 'invalid request', issues: [{ path: ['url'], message: 'must be …' }] },
    'invalid request: url: must be …',
  ],
  [401, { error: 'invalid or missing API key' }, 'invalid or missing API key; check IMPRIMATUR_API_KEY'],
  [
    409,
    { error: 'no active delegation for chain 1', chainId: 1 },
    'no active delegation for chain 1; imprimatur delegate shows how to delegate',
  ],
  [500, { error: 'internal error' }, 'internal error (request r-1)'],
])('says in one line what a %i means', async (status, body, message) => {
  const api = await fakeApi([status, body, { 'x-request-id': 'r-1' }]);
  const { exitCode, out, error } = await run(api, ['attest', file('a'), '--json']);
  expect({ exitCode, error }).toEqual({ exitCode: 1, error: `imprimatur: ${message}\n` });
  expect(JSON.parse(out)).toEqual({ error: message, status, requestId: 'r-1' });
  expect(out + error).not.toContain(apiKey);
});

it.each([
  ['http://127.0.0.1:1', 'is the service running there? npm start runs a local one'],
  ['https://nowhere.invalid', 'check IMPRIMATUR_URL and the network'],
])('says that nobody answers at %s, and what to check', async (url, advice) => {
  const { exitCode, error } = await run({ url, received: [] }, ['attest', file('a')]);
  expect(exitCode).toBe(1);
  expect(error.startsWith(`imprimatur: no answer from ${url}`)).toBe(true);
  expect(error.endsWith(`; ${advice}\n`)).toBe(true);
});

it.each([
  [60, 'in 1 min'],
  [3599, 'in 59 min 59 s'],
  [38_490, 'in 10 h 42 min'],
])('says when to come back, told %d s', async (retryAfterSeconds, when) => {
  const headers = { 'retry-after': String(retryAfterSeconds), 'x-request-id': 'r-1' };
  const api = await fakeApi([429, { error: 'rate limit exceeded' }, headers]);
  const { exitCode, out, error } = await run(api, ['attest', file('a'), '--json']);
  const message = `rate limit exceeded; try again ${when}`;
  expect({ exitCode, error }).toEqual({ exitCode: 1, error: `imprimatur: ${message}\n` });
  expect(JSON.parse(out)).toEqual({ error: message, status: 429, requestId: 'r-1', retryAfterSeconds });
});

it('says when to come back after words of the service that ask for it, and under what it is logged', async () => {
  const headers = { 'retry-after': '90', 'x-request-id': 'r-1' };
  const api = await fakeApi([503, { error: 'busy; try again' }, headers]);
  const { error } = await run(api, ['attest', file('a')]);
  expect(error).toBe('imprimatur: busy; try again in 1 min 30 s (request r-1)\n');
});

describe('attest --wait, on a chain with an explorer', () => {
  const argv = () => ['attest', file('a'), '--wait'];
  const chains = (chain: object) => [200, { chains: [{ chainId: 1 }, { chainId, ...chain }] }] as const;
  const answered = [
    [202, summary],
    [200, attestation(confirmed)],
  ] as const;

  it('links to the transaction of the reveal', async () => {
    const api = await fakeApi(...answered, chains({ explorerUrl: 'https://explorer.example/' }));
    const { exitCode, out } = await run(api, argv());
    expect(exitCode).toBe(0);
    const link = `https://explorer.example/tx/${confirmed.revealTxHash}`;
    expect(out).toContain(`\nsee it at: ${link}\n`);
  });

  it.each([
    ['a chain without one', chains({})],
    ['an address that is none of the web', chains({ explorerUrl: 'javascript:alert(1)' })],
    ['a service that does not say', [401, { error: 'invalid or missing API key' }] as const],
  ])('gives no link for %s, and is as good', async (_, answer) => {
    const { exitCode, out } = await run(await fakeApi(...answered, answer), argv());
    expect(exitCode).toBe(0);
    expect(out).toContain('verify it with: ');
    expect(out).not.toContain('see it at');
  });
});

describe('attest --proof', () => {
  const proof = { version: 1, reference: { contentCid, attestationIndex: 7 } };
  const answers = [
    [202, summary],
    [200, attestation(confirmed)],
    [200, { chains: [] }],
    [200, proof],
  ] as const;
  const proofBeside = (path: string) => path.replace('article.md', 'article.proof.json');

  it('waits, and writes the proof beside the text', async () => {
    const api = await fakeApi(...answers);
    const path = file('a');
    const { exitCode, out } = await run(api, ['attest', path, '--proof']);
    expect(exitCode).toBe(0);
    expect(out).toContain(`\n\nits proof is in ${proofBeside(path)}\n`);
    expect(JSON.parse(readFileSync(proofBeside(path), 'utf8'))).toEqual(proof);
    expect(api.received.map(({ url }) => url)).toEqual([
      '/v1/attestations',
      `/v1/attestations/${id}`,
      '/v1/chains',
      `/v1/attestations/${id}/proof`,
    ]);
  });

  it('writes it where it is told to, and tells scripts', async () => {
    const named = directoryWith({})('named.json');
    const { out } = await run(await fakeApi(...answers), ['attest', file('a'), '--proof', named, '--json']);
    expect(JSON.parse(out)).toMatchObject({ id, status: 'confirmed', created: true, proof: named });
    expect(JSON.parse(readFileSync(named, 'utf8'))).toEqual(proof);
  });

  it.each([
    ['https://News.Example.org:8443/1?a=b', { publisher: { domain: 'news.example.org' } }],
    ['http://localhost/1', {}],
    ['http://10.0.0.1/1', {}],
  ])('names the domain of %s as a hint where readers may ask', async (url, hint) => {
    const path = file('a');
    const api = await fakeApi(answers[0], [200, attestation({ ...confirmed, url })], answers[2], answers[3]);
    await run(api, ['attest', path, '--proof']);
    expect(JSON.parse(readFileSync(proofBeside(path), 'utf8'))).toEqual({ ...proof, ...hint });
  });

  it('never takes a text for the proof file, and sends nothing when it is not to be named', async () => {
    const path = file('the text');
    for (const argv of [
      ['attest', '--proof', path],
      ['attest', '--proof', path, path],
      ['attest', '-', '--proof'],
    ]) {
      const api = await fakeApi(...answers);
      expect(await run(api, argv)).toMatchObject({ exitCode: 2, out: '' });
      expect(api.received).toEqual([]);
    }
    expect(readFileSync(path, 'utf8')).toBe('the text');
  });

  it('says that it is confirmed when the proof cannot be written', async () => {
    const path = file('a');
    mkdirSync(proofBeside(path));
    const { exitCode, error } = await run(await fakeApi(...answers), ['attest', path, '--proof']);
    expect(exitCode).toBe(1);
    expect(error).toMatch(/imprimatur: it is confirmed, but .*article.proof.json cannot be written; /);
  });
});

it('says that something else answers', async () => {
  const api = await fakeApi([200, { hello: 1 }]);
  const message = `${api.url} does not answer as this service does: is the URL the right one?`;
  const { exitCode, out } = await run(api, ['list', '--json']);
  expect([exitCode, JSON.parse(out)]).toEqual([1, { error: message }]);
});
