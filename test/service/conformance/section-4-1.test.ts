import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { withoutBlocks } from '../stack/blocks.ts';
import { type Body, HttpClient } from '../stack/http-client.ts';
import { article, newPublisher, type Publisher } from '../stack/publisher.ts';
import { stack } from '../stack/running-stack.ts';
import { creationOf, invalid, invalidFields, pendingOf, replyOf, unauthorized } from './shapes.ts';

const { chainId } = stack;
const notJson = 'the body must be a JSON object';

let publisher: Publisher;

beforeAll(async () => {
  // The forwarder's transactions carry many operations, so waiting for them takes only a few blocks.
  publisher = await newPublisher({ delegateAddress: stack.forwarderAddress });
});

const { vectors, reject } = JSON.parse(readFileSync('test/vectors/cid.json', 'utf8')) as {
  vectors: {
    name: string;
    contentJsonString?: string;
    recipe?: { unit: string; times: number };
    byteLength: number;
    cidV1Raw: string;
  }[];
  reject: { name: string; contentJsonString: string }[];
};

test('4.0.1 every endpoint requires authentication', async () => {
  const nobody = new HttpClient();
  const id = crypto.randomUUID();
  const answers = await Promise.all([
    nobody.create({ content: article() }),
    nobody.get(id),
    nobody.list(),
    nobody.link(id, crypto.randomUUID()),
  ]);
  expect(answers.map(replyOf)).toEqual([unauthorized, unauthorized, unauthorized, unauthorized]);
});

test('4.1.1 POST /v1/attestations accepts only a JSON object', async () => {
  const { api } = publisher;
  for (const body of ['', '{', '[]', 'null', '"content"'])
    expect(replyOf(await api.create(body))).toEqual(invalid(undefined, notJson));
});

test('4.1.2 content is a required string', async () => {
  const { api } = publisher;
  const { status, body } = await api.create({ url: 'https://example.org/' });
  expect({ status, body }).toEqual(invalid('content', 'is missing'));
  expect(replyOf(await api.create({ content: 1 }))).toEqual(invalid('content', 'must be a string'));
});

/** Vectors that HTTP, JSON or a size limit could change. The domain's tests use all vectors. */
const fragile = [
  ...['empty string', 'CRLF between lines', 'NUL only', 'quotes and backslashes', 'BOM prefix'],
  ...['NFD e-acute', 'NFKC pitfall ligature fi', 'emoji astral', 'noncharacters'],
  ...['1 MiB of 2-byte chars', '1 MiB + 1'],
];

test('4.1.2 the response has the CID of the content, or 400 outside 1 to 1,048,576 bytes', async () => {
  const { api } = publisher;
  const posted = vectors.filter(({ name }) => fragile.includes(name));
  expect(posted).toHaveLength(fragile.length);
  for (const { name, contentJsonString, recipe, byteLength, cidV1Raw } of posted) {
    // Without the escapes of the vectors, so that the bytes of the text are sent.
    const content = recipe ? recipe.unit.repeat(recipe.times) : JSON.parse(contentJsonString ?? '');
    const answer = await api.create({ content });
    expect({ name, ...replyOf(answer) }).toEqual({ name, ...expectedOf(byteLength, cidV1Raw) });
  }
});

/** Returns the expected answer, with the CID of the vector. */
function expectedOf(byteLength: number, contentCid: string) {
  if (byteLength === 0) return invalid('content', 'must not be empty');
  if (byteLength > 1_048_576) return invalid('content', 'must be at most 1,048,576 bytes in UTF-8');
  return { status: 202, body: { ...creationOf(publisher, 'any content'), contentCid } };
}

test('4.1.2 a string that is not well-formed Unicode is rejected with its field', async () => {
  const illFormed = 'must be well-formed Unicode: it has a lone surrogate, which has no UTF-8 form';
  expect(reject.length).toBeGreaterThan(0);
  for (const { name, contentJsonString } of reject) {
    const answer = await publisher.api.create(`{"content":${contentJsonString}}`);
    expect({ name, ...replyOf(answer) }).toEqual({ name, ...invalid('content', illFormed) });
  }
});

test("4.1.3 chainId defaults to the organization's chain, and is required without one", async () => {
  const homeless = await newPublisher({ defaultChain: false });
  const [sent, fallen] = [article(), article()];
  expect((await publisher.api.create({ content: fallen })).body).toEqual(creationOf(publisher, fallen));
  expect(replyOf(await homeless.api.create({ content: sent }))).toEqual({
    status: 400,
    body: { error: 'no chainId given and no default configured' },
  });
  expect((await homeless.api.create({ content: sent, chainId })).body).toEqual(creationOf(homeless, sent));
});

test('4.1.4 url is optional and must be valid', async () => {
  const { api } = publisher;
  const content = article();
  expect(replyOf(await api.create({ content, url: 'not a url' }))).toEqual(
    invalid('url', 'must be a valid http or https URL'),
  );
  expect(replyOf(await api.create({ content, url: 'https://example.org/an article' }))).toEqual({
    status: 202,
    body: creationOf(publisher, content),
  });
});

test('4.1.5 metadata is an optional JSON object', async () => {
  const { api } = publisher;
  const content = article();
  expect(replyOf(await api.create({ content, metadata: ['list'] }))).toEqual(
    invalid('metadata', 'must be a JSON object'),
  );
  expect(replyOf(await api.create({ content, metadata: { free: ['form', { of: null }] } }))).toEqual({
    status: 202,
    body: creationOf(publisher, content),
  });
});

test('4.1.6 202 for a new attestation, with its address in Location', async () => {
  const content = article();
  const answer = await publisher.api.create({ content });
  expect(replyOf(answer)).toEqual({ status: 202, body: creationOf(publisher, content) });
  expect(answer.headers.get('location')).toMatch(new RegExp(`/v1/attestations/${answer.body.id}$`));
});

test('4.1.8 200 for identical content, whatever else is sent with it', async () => {
  const { api } = publisher;
  const content = article();
  const url = 'https://example.org/first';
  await withoutBlocks(async () => {
    const first = await api.create({ content, url });
    expect(replyOf(first)).toEqual({ status: 202, body: creationOf(publisher, content) });
    const again = await api.create({ content, url: 'https://example.org/second', metadata: { other: true } });
    expect(replyOf(again)).toEqual({ status: 200, body: first.body });
    const { body } = await api.get(first.body.id);
    expect(body).toEqual({ ...pendingOf(publisher, content), id: first.body.id, url });
  });
});

test('4.1.9 the existing attestation is returned and nothing is duplicated', async () => {
  const { api } = await newPublisher({ delegateAddress: stack.forwarderAddress });
  const content = article();
  const first = await api.create({ content });
  const again = await api.create({ content, chainId });
  expect(again.body.id).toBe(first.body.id);
  const { attestations } = (await api.list()).body as { attestations: Body[] };
  expect(attestations.map(({ id }) => id)).toEqual([first.body.id]);
});

test('4.1.9 content that is posted sixteen times at once is accepted exactly once', async () => {
  const { api } = publisher;
  const content = article();
  const answers = await Promise.all(Array.from({ length: 16 }, () => api.create({ content })));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(15).fill(200), 202]);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
});

test('4.1.11 400 names every field that is wrong', async () => {
  const answer = await publisher.api.create({ content: '', chainId: null, url: 1, metadata: 'x' });
  expect(replyOf(answer)).toEqual(
    invalidFields(
      ['content', 'must not be empty'],
      ['chainId', 'must be a whole number of at least 1'],
      ['url', 'must be a string'],
      ['metadata', 'must be a JSON object'],
    ),
  );
});

test('4.1.12 401 precedes the validation of the body', async () => {
  expect(replyOf(await new HttpClient('nonsense').create('{'))).toEqual(unauthorized);
});
