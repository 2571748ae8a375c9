import { isRecord } from '../part.ts';
import { type AttestationReference, formatReference, parseReference } from '../reference/reference.ts';
import { ReferenceInvalidError } from '../reference/reference-parts.ts';
import { partsOfPage } from './page-parts.ts';

/** Most bytes of a page that a command or a web page reads: a scan of more would take long, and much memory. */
export const maxPageBytes = 10_000_000;

/** References in a page. */
export interface PageReferences {
  /** References in the order of the page, each once. */
  readonly references: readonly AttestationReference[];
  /** What could not be read, a plain line each: JSON-LD that is no JSON, or a malformed reference. */
  readonly problems: readonly string[];
}

const isJsonLd = (type = '') => type.split(';')[0]?.trim().toLowerCase() === 'application/ld+json';

/** The values of a page's JSON-LD; `undefined` for what is no JSON. */
function* jsonLdOfPage(html: string): Generator<unknown> {
  for (const { name, attributes, text } of partsOfPage(html))
    if (name === 'script' && isJsonLd(attributes.get('type'))) yield parsed(text);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

/** All objects in a JSON value, outer ones first; a list instead of recursion, for a page may nest without bound. */
function objectsIn(value: unknown): JsonObject[] {
  const objects: JsonObject[] = [];
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (isRecord(next)) objects.push(next);
    if (typeof next === 'object' && next !== null)
      for (const part of Object.values(next).reverse()) open.push(part);
  }
  return objects;
}

/** The texts of `identifier`s with the property id "attestation". */
function identifiersOf(object: JsonObject): unknown[] {
  return [object.identifier]
    .flat()
    .filter(isRecord)
    .filter(({ propertyID }) => propertyID === 'attestation')
    .map(({ value }) => value);
}

/** Reads the references that a page holds as JSON-LD. Nothing is executed or fetched, and what the page says is only a claim. */
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
