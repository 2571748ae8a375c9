import { parseQuoteProof } from 'imprimatur-verifier';
import { expect, test } from 'vitest';
import * as z from 'zod';
import document from '../../../../docs/openapi.json' with { type: 'json' };
import {
  createBodySchema,
  linkBodySchema,
  quoteBodySchema,
} from '../../../../functions/api/bodies/requests.ts';
import { errorReply } from '../../../../functions/api/http/error-reply.ts';
import { openApiDocument } from '../../../../functions/api/openapi/document.ts';
import { refusals } from '../../../../functions/api/openapi/error-examples.ts';
import * as examples from '../../../../functions/api/openapi/examples.ts';
import { parseContent } from '../../../../functions/domain/attestation/content.ts';
import { contentCid, contentDigest } from '../../../../functions/domain/attestation/content-cid.ts';
import { quoteRoot } from '../../../../functions/domain/attestation/quote-root.ts';
import * as errors from '../../../../functions/domain/errors.ts';
import { addressSchema } from '../../../../functions/domain/settings.ts';
import { type DocumentedResponse, operations, responseOf, schemaOf } from './documented.ts';

const bodies = operations
  .flatMap((operation) => [
    ...(operation.requestBody ? [operation.requestBody] : []),
    ...Object.keys(operation.responses).map((status) => responseOf(operation, status)),
  ])
  .flatMap(({ content }: Pick<DocumentedResponse, 'content'>) => Object.values(content ?? {}))
  .filter(({ examples }) => examples);

test('the committed document matches the schemas', () => {
  expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
});

test('every example is valid for its schema', () => {
  const wrong = bodies.flatMap(({ schema, examples = {} }) =>
    Object.entries(examples).filter(([, { value }]) => !schemaOf(schema).safeParse(value).success),
  );
  expect(wrong).toEqual([]);
  expect(bodies.length).toBeGreaterThan(30);
});

test('the example requests are accepted', () => {
  expect(createBodySchema.safeParse(examples.article.request).success).toBe(true);
  expect(linkBodySchema.safeParse(examples.linkRequest).success).toBe(true);
  expect(quoteBodySchema.safeParse(examples.quoteRequest).success).toBe(true);
});

test('the example quote is a passage of the article', () => {
  const { quote, article } = examples;
  expect(parseQuoteProof(quote)).toEqual({ quote, root: quoteRoot(article.request.content) });
});

test('the example CID is that of the content, and addresses have checksums', () => {
  const { creation, article, chainList } = examples;
  expect(creation.contentCid).toBe(contentCid(contentDigest(parseContent(article.request.content))));
  const [{ registryAddress, delegateAddress } = {}] = chainList.chains;
  const addresses = [creation.authorityAddress, registryAddress, delegateAddress];
  expect(addresses).toEqual(z.array(addressSchema).parse(addresses));
});

test('every refusal with a status has an example', () => {
  const classes: { readonly name: string; readonly prototype: object }[] = Object.values(errors);
  const refused = classes.filter(({ prototype }) => errorReply(Object.create(prototype), '/'));
  const shown = new Set(Object.values(refusals).map(({ name }) => name));
  expect(refused.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual(['ThrottledError']);
  expect(errorReply(refusals.busy, '/')?.status).toBe(503);
});

test('operation ids are unique, and every link leads to an operation', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const linked = [...JSON.stringify(operations).matchAll(/"links":\{"\w+":\{"operationId":"(\w+)"/g)];
  expect(linked.length).toBeGreaterThan(3);
  for (const [, id] of linked) expect(ids).toContain(id);
});
