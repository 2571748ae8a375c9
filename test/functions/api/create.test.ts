import { describe, expect, test, vi } from 'vitest';
import { handler } from '../../../functions/api/create-attestation.ts';
import { readMetadata } from '../../../functions/domain/attestation/content-records.ts';
import {
  type ApiRequest,
  aliceKey,
  call,
  keyWithLimits,
  keyWithoutDefaultChain,
  world,
} from '../../fakes/world/api-client.ts';
import { alice, chainId } from '../../fakes/world/world.ts';

vi.mock('../../../functions/adapters/compose-services.ts', () => import('../../fakes/world/composed.ts'));

let articles = 0;
const content = () => `article ${++articles}`;
const create = (body: unknown, key?: string) => call(handler, { body }, key);

/** Seconds until the end of the UTC day, by the service's clock. */
const secondsLeftOfDay = () => 86_400 - (Math.floor(world.clock.now().getTime() / 1000) % 86_400);

const invalid = (path: (string | number)[], message = expect.any(String)) => ({
  error: 'invalid request',
  issues: [{ path, message }],
});

describe('POST /v1/attestations', () => {
  test('answers 202 with the abbreviated attestation and nothing else', async () => {
    const { status, body, headers } = await create({
      content: 'An article.',
      chainId,
      url: 'https://a.example/',
    });
    expect(status).toBe(202);
    expect(body).toStrictEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      status: 'pending',
      contentCid: 'bafkreib3nls43dlzxxzeqkfjatpvatc2oxgl2thhgs45vi5jlygoojfa7a',
      chainId,
      authorityAddress: alice.authorityAddress,
    });
    expect(headers).toStrictEqual({
      'Content-Type': 'application/json',
      'Cache-Control': 'private, no-cache',
      'Strict-Transport-Security': 'max-age=31536000',
      'X-Content-Type-Options': 'nosniff',
      Location: `/prod/v1/attestations/${body.id}`,
      'x-request-id': expect.stringMatching(/^request-/),
    });
  });

  test('answers 200 with the same attestation when the content repeats', async () => {
    const body = { content: content() };
    const first = await create(body);
    const second = await create({ ...body, url: 'https://a.example/other', chainId });
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(second.headers).not.toHaveProperty('Location');
  });
});

describe('answering 400', () => {
  test.each<[string, ApiRequest]>([
    ['malformed JSON', { text: '{"content": "a"' }],
    ['no body', {}],
    ['an array', { text: '[]' }],
    ['null', { text: 'null' }],
    ['a string', { text: '"content"' }],
  ])('%s has one issue with an empty path', async (_, request) => {
    const { status, body } = await call(handler, request);
    expect(status).toBe(400);
    expect(body).toStrictEqual(invalid([], 'the body must be a JSON object'));
  });

  const noUrl = 'must be a valid http or https URL';
  const noChain = 'must be a whole number of at least 1';

  test.each<[string, unknown, unknown]>([
    ['content', undefined, 'is missing'],
    ['content', 1, 'must be a string'],
    ['content', '', 'must not be empty'],
    ['content', 'a\ud800b', expect.stringContaining('lone surrogate')],
    ['chainId', '1', noChain],
    ['chainId', 1.5, noChain],
    ['chainId', 0, noChain],
    ['chainId', 2 ** 53, noChain],
    ['url', null, 'must be a string'],
    ['url', 'https:a.example', noUrl],
    ['url', 'https://a b', noUrl],
    ['url', 'https://a.example/\ud800', noUrl],
    ['url', 'https://a.example/\nstatus  confirmed', noUrl],
    ['url', 'https://a.example/\u009b31m', noUrl],
    ['url', `https://a.example/${'a'.repeat(2031)}`, 'must have at most 2048 characters'],
    ['metadata', [], 'must be a JSON object'],
    ['metadata', { a: 'x'.repeat(32_768) }, 'must be at most 32768 bytes as JSON'],
  ])('an invalid %s is refused with the reason (case %#)', async (field, value, message) => {
    const { status, body } = await create({ content: 'a', [field]: value });
    expect([status, body]).toStrictEqual([400, invalid([field], message)]);
  });

  test('metadata nested too deep to check is refused, and causes no internal error', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { status, body } = await call(handler, { text: `{"content":"a","metadata":{"a":${deep}}}` });
    expect(status).toBe(400);
    expect(body).toStrictEqual(invalid(['metadata']));
  });

  test('a url of 2,048 characters and metadata of 32 KiB are accepted', async () => {
    const url = `https://a.example/${'a'.repeat(2030)}`;
    const metadata = { a: 'x'.repeat(32 * 1024 - 8) };
    expect((await create({ content: content(), url, metadata })).status).toBe(202);
  });

  test('several invalid fields are reported at once', async () => {
    const { body } = await create({ content: '', chainId: 'x', url: 1, metadata: 1 });
    const paths = (body.issues as { path: string[] }[]).map(({ path }) => path[0]);
    expect(paths).toEqual(['content', 'chainId', 'url', 'metadata']);
  });

  test.each([
    ['chain_id', 'chainId'],
    ['chain-id', 'chainId'],
    ['Content', 'content'],
    ['Network', 'chainId'],
    ['chaniId', 'chainId'],
    ['chaind', 'chainId'],
    ['chainnId', 'chainId'],
    ['chainld', 'chainId'],
  ])('the misspelled name %s is reported, not ignored', async (name, meant) => {
    const { status, body } = await create({ content: content(), [name]: 1 });
    expect(status).toBe(400);
    expect(body).toStrictEqual(invalid([name], `did you mean ${meant}?`));
  });

  test.each(['text', 'contents'])('%s is reported if the content is missing', async (name) => {
    expect((await create({ [name]: 'a' })).body).toStrictEqual(invalid([name], 'did you mean content?'));
  });

  test('unknown names are ignored, as are misspellings of fields that are present', async () => {
    const others = { author: 'me', status: 'failed', channelId: 1, ur: 1, ['chain'.repeat(20)]: 1 };
    expect((await create({ content: content(), text: 'a', context: 'b', ...others })).status).toBe(202);
    expect((await create({ content: content(), chainId, chain: 1, chainIds: [1] })).status).toBe(202);
  });

  test('an answer lists at most twenty issues, and counts the others', async () => {
    const spellings = Array.from({ length: 1000 }, (_, n) => [
      `chain_${'-'.repeat(n % 50)}${'_'.repeat(n / 50)}id`,
      1,
    ]);
    const { body } = await create({ content: 'a', ...Object.fromEntries(spellings) });
    const issues = body.issues as object[];
    expect(issues).toHaveLength(21);
    expect(issues.at(-1)).toStrictEqual({ path: [], message: expect.stringMatching(/^and \d{3} more$/) });
  });

  test('metadata whose text is far longer than its value is refused', async () => {
    const text = `{"content":"a","metadata":{"a":0.${'0'.repeat(200_000)}}}`;
    const { body } = await call(handler, { text });
    expect(body).toStrictEqual(invalid(['metadata'], 'must be at most 32768 bytes as JSON'));
  });

  test('a request without a chain, by field or default, is refused', async () => {
    const { status, body } = await create({ content: content() }, await keyWithoutDefaultChain());
    expect([status, body]).toStrictEqual([400, { error: 'no chainId given and no default configured' }]);
  });
});

test('metadata is stored exactly as it was sent: its numbers, names and their order', async () => {
  const metadata = '{"2":12345678901234567890,"1":-0,"__proto__":{"a":1.0},"b":"\\u0061"}';
  const { body } = await call(handler, { text: `{ "content": "${content()}", "metadata": ${metadata} }` });
  expect(await readMetadata(world.records, { ...alice, id: body.id })).toBe(metadata);
});

describe('answering 401', () => {
  const body = { error: 'invalid or missing API key' };

  test.each<[string, Record<string, string>]>([
    ['no key', {}],
    ['another scheme', { Authorization: `Basic ${aliceKey}` }],
    ['only a scheme', { Authorization: 'Bearer ' }],
    ['a key without a scheme', { Authorization: aliceKey }],
    ['a mistyped key', { Authorization: `Bearer ${aliceKey.slice(0, -1)}` }],
    ['a wrong key in the other header', { 'x-api-key': 'imp_live_x' }],
  ])('%s', async (_, headers) => {
    const reply = await call(handler, { body: { content: content() }, headers }, '');
    expect(reply.status).toBe(401);
    expect(reply.body).toStrictEqual(body);
    expect(reply.headers['x-request-id']).toBeDefined();
  });

  test.each<[string, Record<string, string>]>([
    ['x-api-key', { 'x-api-key': aliceKey }],
    ['X-API-Key', { 'X-API-Key': aliceKey }],
    ['authorization in lower case', { authorization: `bearer ${aliceKey}` }],
  ])('is not the answer to a right key in %s', async (_, headers) => {
    const reply = await call(handler, { body: { content: content() }, headers }, '');
    expect(reply.status).toBe(202);
  });
});

describe('other answers', () => {
  test('bytes that are not UTF-8, which would be attested as another text, get 400', async () => {
    const bytes = Buffer.concat([Buffer.from('{"content":"caf'), Buffer.from([0xe9]), Buffer.from('"}')]);
    const { status, body } = await call(handler, { bytes });
    expect([status, body]).toStrictEqual([
      400,
      { error: 'invalid request', issues: [{ path: [], message: 'the body must be UTF-8' }] },
    ]);
  });

  test('text from bytes is exact, including a byte order mark', async () => {
    const content = `\ufeffcafé \u0000 ${Math.random()}`;
    const fromBytes = await call(handler, { bytes: Buffer.from(JSON.stringify({ content })) });
    const fromText = await call(handler, { body: { content } });
    expect([fromBytes.status, fromText.status]).toEqual([202, 200]);
    expect(fromText.body.id).toBe(fromBytes.body.id);
  });

  test('content of one byte too many gets 400, not 413', async () => {
    const { status, body } = await create({ content: 'a'.repeat(1_048_577) });
    expect([status, body]).toStrictEqual([400, invalid(['content'])]);
  });

  test('a missing delegation gets 409, with a link to the list of chains', async () => {
    const { status, headers } = await create({ content: content(), chainId: 5 });
    expect([status, headers.Link]).toStrictEqual([409, '</prod/v1/chains>; rel="help"']);
  });

  test('new content over a limit of the organization gets 429, and existing content gets 200', async () => {
    const key = await keyWithLimits({ attestationsPerDay: 1, inFlight: 5 });
    const text = content();
    expect((await create({ content: text }, key)).status).toBe(202);
    const { status, body, headers } = await create({ content: content() }, key);
    expect([status, body]).toStrictEqual([429, { error: 'rate limit exceeded' }]);
    expect(Number(headers['Retry-After'])).toBe(secondsLeftOfDay());
    expect((await create({ content: text }, key)).status).toBe(200);
    const busy = await keyWithLimits({ attestationsPerDay: 5, inFlight: 1 });
    expect((await create({ content: content() }, busy)).status).toBe(202);
    expect((await create({ content: content() }, busy)).headers['Retry-After']).toBe('5');
  });

  test('an unexpected error gets 500, and its cause is only in the log', async () => {
    world.records.readFailure = new Error('a secret cause');
    const { status, text } = await create({ content: content() });
    world.records.readFailure = undefined;
    expect([status, text]).toEqual([500, '{"error":"internal error"}']);
    expect(world.log.lines.at(-1)).toMatchObject({ message: 'request failed' });
  });
});
