import { mkdirSync, readFileSync } from 'node:fs';
import { type Attestation, type ConfirmedAttestation, referenceOf } from 'imprimatur-client';
import { describe, expect, it } from 'vitest';
import { apiKey, attestation, confirmed, type FakeAnswer, fakeApi, id } from '../../client/test/fake-api.ts';
import { InterruptedError } from '../src/errors.ts';
import { directoryWith, expectError, expectOutput, file, run } from './run.ts';

const { contentCid, chainId, authorityAddress } = attestation();
const summary = { id, status: 'pending', contentCid, chainId, authorityAddress };

async function attest(answers: readonly FakeAnswer[], ...options: readonly string[]) {
  const path = file('a');
  const result = await run(await fakeApi(...answers), ['attest', path, ...options]);
  const json = () => JSON.parse(result.out);
  return { ...result, path, json };
}

/** Attests, while the service returns these states in turn. */
const attestWithStates = (states: readonly Attestation[], ...options: readonly string[]) =>
  attest([[202, summary], ...states.map((state) => [200, state] as const)], ...options);

describe('attest', () => {
  it('sends the unchanged file with its options', async () => {
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

  it('prints one JSON object, with `created`', async () => {
    expect((await attest([[200, summary]], '--json')).json()).toEqual({ ...summary, created: false });
  });
});

const local = { chainId: 31337, name: 'Local' };

it.each([
  ['is not served', [200, { chains: [local] }] as const, 'the service does not serve chain 1; it serves: '],
  ['is served', [200, { chains: [local, { chainId: 1 }] }] as const, 'no active delegation for chain 1; '],
  ['cannot be looked up', [401, { error: 'no key' }] as const, 'no active delegation for chain 1; '],
])('attest explains the refusal of a chain that %s', async (_, chains, words) => {
  const refused = [409, { error: 'no active delegation for chain 1', chainId: 1 }] as const;
  await expectError(attest([refused, chains], '--chain', '1'), 1, `imprimatur: ${words}`);
});

describe('attest with content that may have been attested before', () => {
  const recorded = (url: string | undefined) => [200, attestation(url === undefined ? {} : { url })] as const;
  const url = 'https://new.example/';
  const again = (first: string | undefined) => attest([[200, summary], recorded(first)], '--url', url);

  it('reports that the first URL stays', async () => {
    const note = `already attested with https://old.example/; ${url} is ignored`;
    const expected = { exitCode: 0, error: `imprimatur: ${note}\n` };
    expect(await again('https://old.example/')).toMatchObject(expected);
    expect((await again(undefined)).error).toContain('with no URL');
  });

  it('reports nothing for the same URL or for new content', async () => {
    expect((await again(url)).error).toBe('');
    expect((await attest([[202, summary]], '--url', url)).error).toBe('');
  });

  it('reports that metadata may have been ignored', async () => {
    const { error } = await attest([[200, summary]], '--metadata', file('{}'));
    expect(error).toContain('already attested');
  });
});

describe('attest --wait', () => {
  it('prints each change to stderr, and the confirmed attestation to stdout', async () => {
    const committed = attestation({ status: 'committed', commitTxHash: '0xc1' });
    const states = [
      attestation(),
      attestation(),
      committed,
      attestation({ ...confirmed, revealTxHash: '0xe1' }),
    ];
    const { exitCode, out, error } = await attestWithStates(states, '--wait');
    expect(exitCode).toBe(0);
    expect(error).toBe(
      '    0 s  pending\n   10 s  committed in 0xc1, reveal delay of about 60 s\n   15 s  confirmed as number 7 in 0xe1\n',
    );
    expect(out).toContain('status            confirmed\n');
    expect(out).toContain('attestationIndex  7\n');
  });

  it.each([
    [31337, ' --rpc "$RPC_URL"'],
    [8453, ''],
  ])('prints a command that verifies the text on chain %i', async (chainId, rpc) => {
    const last = attestation({ ...confirmed, chainId });
    const { out, path } = await attestWithStates([last], '--wait');
    const reference = referenceOf(last as ConfirmedAttestation);
    expect(out).toContain(`\nto verify it: npx imprimatur verify ${path} --reference ${reference}${rpc}\n`);
  });

  it('prints why an attestation failed', async () => {
    const failed = attestation({ status: 'failed', error: 'internal error; submit the content again' });
    const { exitCode, json, error } = await attestWithStates([failed], '--wait', '--json');
    expect(exitCode).toBe(1);
    const message = 'the attestation failed: internal error; submit the content again';
    expect(error).toBe(`    0 s  failed\nimprimatur: ${message}\n`);
    expect(json()).toEqual({ error: message, attestation: failed });
  });

  it('exits with 3 after the time limit, and prints how to check again', async () => {
    const { exitCode, json, error } = await attestWithStates([attestation()], '--timeout', '7', '--json');
    expect(exitCode).toBe(3);
    const message = `not confirmed after 7 s, still pending; the service continues; to check again: npx imprimatur status ${id} --wait`;
    expect(error).toBe(`    0 s  pending\nimprimatur: ${message}\n`);
    expect(json()).toEqual({ error: message, attestation: attestation() });
  });
});

it('Ctrl-C stops `attest` while it reads stdin', async () => {
  const api = await fakeApi([202, summary]);
  const controller = new AbortController();
  const readInput = async () => {
    controller.abort(new InterruptedError(130));
    throw new Error('The operation was aborted');
  };
  await expectError(
    run(api, ['attest', '-'], { readInput, signal: controller.signal }),
    130,
    /^imprimatur: interrupted; /,
  );
  expect(api.received).toEqual([]);
});

it.each([
  [400, { issues: [{ path: ['url'], message: 'must be …' }] }, '', ': url: must be …'],
  [401, {}, '', '; check IMPRIMATUR_API_KEY'],
  [409, { chainId: 1 }, '', '; run imprimatur delegate to see how to delegate'],
  [429, {}, '60', '; try again in 1 min'],
  [429, {}, '3599', '; try again in 59 min 59 s'],
  [429, {}, '38490', '; try again in 10 h 42 min'],
  [500, {}, '', ' (request r-1)'],
  [503, {}, '90', '; try again in 1 min 30 s (request r-1)'],
])(
  'an answer of %i with %j leads to one line with advice, for a Retry-After of %j s',
  async (status, more, after, advice) => {
    const headers = { 'x-request-id': 'r-1', ...(after && { 'retry-after': after }) };
    const refusal = status === 409 ? 'no active delegation' : 'refused';
    const { exitCode, out, json, error } = await attest(
      [[status, { error: refusal, ...more }, headers]],
      '--json',
    );
    const message = `${refusal}${advice}`;
    expect({ exitCode, error }).toEqual({ exitCode: 1, error: `imprimatur: ${message}\n` });
    const retry = after && { retryAfterSeconds: Number(after) };
    expect(json()).toEqual({ error: message, status, requestId: 'r-1', ...retry });
    expect(out + error).not.toContain(apiKey);
  },
);

it('the advice to try again is not repeated', async () => {
  const { error } = await attest([[503, { error: 'busy; try again' }, { 'retry-after': '90' }]]);
  expect(error).toBe('imprimatur: busy; try again in 1 min 30 s\n');
});

it.each([
  ['http://127.0.0.1:1', 'check that the service runs there, or start .*'],
  ['https://nowhere.invalid', 'check IMPRIMATUR_URL and the network'],
])('an unreachable service at %s leads to advice', async (url, advice) => {
  const words = new RegExp(`^imprimatur: no answer from ${url}.*; ${advice}\n$`);
  await expectError(run({ url, received: [] }, ['attest', file('a')]), 1, words);
});

describe('attest --wait, when it looks up an explorer', () => {
  const chains = (chain: object) => [200, { chains: [{ chainId: 1 }, { chainId, ...chain }] }] as const;
  const answered = [
    [202, summary],
    [200, attestation(confirmed)],
  ] as const;

  it('links to the transaction of the reveal', async () => {
    const answers = [...answered, chains({ explorerUrl: 'https://explorer.example/' })];
    const { out } = await attest(answers, '--wait');
    expect(out).toContain(`\nexplorer: https://explorer.example/tx/${confirmed.revealTxHash}\n`);
  });

  it.each([
    ['a chain without one', chains({})],
    ['a URL that is not http or https', chains({ explorerUrl: 'javascript:alert(1)' })],
    ['a service that refuses to list chains', [401, { error: 'invalid or missing API key' }] as const],
  ])('prints no link for %s', async (_, answer) => {
    const { exitCode, out } = await attest([...answered, answer], '--wait');
    expect(exitCode).toBe(0);
    expect(out).toContain('to verify it: ');
    expect(out).not.toContain('explorer: ');
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
  const proofPathOf = (path: string) => path.replace('article.md', 'article.proof.json');

  it('waits, and writes the proof file beside the text', async () => {
    const api = await fakeApi(...answers);
    const path = file('a');
    await expectOutput(run(api, ['attest', path, '--proof']), 0, `\n\nproof file: ${proofPathOf(path)}\n`);
    expect(JSON.parse(readFileSync(proofPathOf(path), 'utf8'))).toEqual(proof);
    expect(api.received.map(({ url }) => url)).toEqual([
      '/v1/attestations',
      `/v1/attestations/${id}`,
      '/v1/chains',
      `/v1/attestations/${id}/proof`,
    ]);
  });

  it('writes the proof file to the given path, and prints the path as JSON', async () => {
    const named = directoryWith({})('named.json');
    const { json } = await attest(answers, '--proof', named, '--json');
    expect(json()).toMatchObject({ id, status: 'confirmed', created: true, proof: named });
    expect(JSON.parse(readFileSync(named, 'utf8'))).toEqual(proof);
  });

  it.each([
    ['https://News.Example.org:8443/1?a=b', { publisher: { domain: 'news.example.org' } }],
    ['http://localhost/1', {}],
    ['http://10.0.0.1/1', {}],
  ])('for the article %s, adds %j to the proof file', async (url, hint) => {
    const seen: FakeAnswer = [200, attestation({ ...confirmed, url })];
    const { path } = await attest([answers[0], seen, ...answers.slice(2)], '--proof');
    expect(JSON.parse(readFileSync(proofPathOf(path), 'utf8'))).toEqual({ ...proof, ...hint });
  });

  it('never overwrites a text with a proof file, and refuses stdin without a file name', async () => {
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

  it('reports that the attestation is confirmed if the proof file cannot be written', async () => {
    const path = file('a');
    mkdirSync(proofPathOf(path));
    await expectError(
      run(await fakeApi(...answers), ['attest', path, '--proof']),
      1,
      /is confirmed, but .*article.proof.json cannot be written; /,
    );
  });
});
