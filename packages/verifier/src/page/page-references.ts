import { isRecord } from '../part.ts';
import { type AttestationReference, formatReference, parseReference } from '../reference/reference.ts';
import { ReferenceInvalidError } from '../reference/reference-parts.ts';
import { partsOfPage } from './page-parts.ts';

/** Maximum length of a page. */
export const maxPageBytes = 10_000_000;

/** References in a page. */
export interface PageReferences {
  /** In the order of the page, without duplicates. */
  readonly references: readonly AttestationReference[];
  /** Invalid JSON-LD and malformed references, one line each. */
  readonly problems: readonly string[];
}

const isJsonLd = (type = '') => type.split(';')[0]?.trim().toLowerCase() === 'application/ld+json';

function* jsonLdOfPage(html: string): Generator<unknown> {
  for (const { name, attributes, text } of partsOfPage(html))
    if (name === 'script' && isJsonLd(attributes.get('type'))) yield parseJson(text);
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

/** All objects in a JSON value, outer ones first. Not recursive, because a page may nest deeply. */
function objectsIn(value: unknown): JsonObject[] {
  const objects: JsonObject[] = [];
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (isRecord(next)) objects.push(next);
    if (typeof next === 'object' && next !== null)
      for (const part of Object.values(next).reverse()) pending.push(part);
  }
  return objects;
}

function identifiersOf(object: JsonObject): unknown[] {
  return [object.identifier]
    .flat()
    .filter(isRecord)
    .filter(({ propertyID }) => propertyID === 'attestation')
    .map(({ value }) => value);
}

/** Reads the references in a page's JSON-LD, which are only claims. Executes and fetches nothing. */
export function referencesInPage(html: string): PageReferences {
  const references = new Map<string, AttestationReference>();
  const problems: string[] = [];
  for (const value of jsonLdOfPage(html)) {
    if (value === undefined) problems.push('a JSON-LD block in the page is not JSON');
    for (const text of objectsIn(value).flatMap(identifiersOf)) {
      try {
        if (typeof text !== 'string')
          throw new ReferenceInvalidError('a reference in the page is not a string');
        const reference = parseReference(text);
        references.set(formatReference(reference), reference);
      } catch (error) {
        if (!(error instanceof ReferenceInvalidError)) throw error;
        problems.push(error.message);
      }
    }
  }
  return { references: [...references.values()], problems };
}
