import { expect, test } from 'vitest';
import { invalid } from './conformance/shapes.ts';
import { article, newPublisher } from './stack/publisher.ts';
import { stack } from './stack/running-stack.ts';

/** Posts the content with each character as one byte, as in a file of ISO 8859-1. */
async function postLatin1(apiKey: string, content: string) {
  const response = await fetch(`${stack.apiUrl}/v1/attestations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ content }), 'latin1'),
  });
  return { status: response.status, body: await response.json() };
}

test('a body that is not UTF-8 is rejected', async () => {
  const publisher = await newPublisher();
  const content = article('café');
  expect(await postLatin1(publisher.apiKey, content)).toEqual(invalid(undefined, 'the body must be UTF-8'));
  expect((await publisher.api.list()).body).toEqual({ attestations: [] });
  // Bytes that are valid in both encodings are accepted.
  expect((await postLatin1(publisher.apiKey, article('cafe'))).status).toBe(202);
});
