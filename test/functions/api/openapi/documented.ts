import { expect } from 'vitest';
import * as z from 'zod';
import document from '../../../../docs/openapi.json' with { type: 'json' };
import { type BodyName, bodySchemas } from '../../../../functions/api/openapi/components.ts';
import type { ApiReply } from '../../../fakes/world/api-client.ts';

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
}

export interface DocumentedResponse {
  readonly headers: Record<string, { $ref: string }>;
  readonly content?: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: Required<DocumentedResponse>;
  readonly responses: Record<string, DocumentedResponse | { $ref: string }>;
}

export const operations = Object.values(document.paths).flatMap(
  (path) => Object.values(path) as unknown as Operation[],
);

const nameIn = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1);

/** Returns the documented answer of an operation with a status. */
export function responseOf({ responses }: Operation, status: number | string): DocumentedResponse {
  const response = responses[status];
  if (!response) throw new Error(`${status} is not documented`);
  if (!('$ref' in response)) return response;
  const shared = document.components.responses as unknown as Record<string, DocumentedResponse>;
  return shared[nameIn(response.$ref)] as DocumentedResponse;
}

/** Returns the zod schema of a body, which may be a union. */
export function schemaOf({ $ref, anyOf }: Schema): z.ZodType {
  if (anyOf) return z.union(anyOf.map(schemaOf));
  return bodySchemas[nameIn($ref ?? '') as BodyName];
}

/** Operations with statuses that were answered as documented. */
export const seen = new Set<string>();

type Header = (typeof document.components.headers)[keyof typeof document.components.headers];

const documentedHeaders = new Map<string, Header>(Object.entries(document.components.headers));

function expectHeader(name: string, text: string | undefined): void {
  const { required, schema } = documentedHeaders.get(name) ?? {};
  if (text === undefined) {
    expect([name, required]).toEqual([name, false]);
    return;
  }
  const json = JSON.parse(JSON.stringify(schema));
  const value = json.type === 'integer' ? Number(text) : text;
  expect([name, z.fromJSONSchema(json).safeParse(value).error]).toEqual([name, undefined]);
}

function expectHeaders(sent: Record<string, string>, documented: DocumentedResponse): void {
  const names = Object.keys(documented.headers);
  const others = Object.keys(sent).filter((name) => name !== 'Content-Type');
  expect(names).toEqual(expect.arrayContaining(others));
  for (const name of names) expectHeader(name, sent[name]);
}

/** Checks status, headers and body of a reply against the document. */
export function expectDocumented(operationId: string, { status, headers, text }: ApiReply): void {
  const operation = operations.find((candidate) => candidate.operationId === operationId);
  if (!operation) throw new Error(`${operationId} is not documented`);
  const documented = responseOf(operation, status);
  expectHeaders(headers, documented);
  const [type, media] = Object.entries(documented.content ?? {})[0] ?? [];
  if (!media) expect(text.length).toBe(0);
  else if (type === 'application/json' && (media.schema.$ref || media.schema.anyOf)) {
    expect(headers['Content-Type']).toBe(type);
    expect(schemaOf(media.schema).safeParse(JSON.parse(text)).error).toBeUndefined();
  }
  seen.add(`${operationId} ${status}`);
}
