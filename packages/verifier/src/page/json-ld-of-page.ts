import { partsOfPage } from './page-parts.ts';

/** A script element of type application/ld+json: its value, or why it has none. */
export interface JsonLd {
  readonly value?: unknown;
  readonly problem?: string;
}

function parse(json: string): JsonLd {
  try {
    return { value: JSON.parse(json) };
  } catch {
    return { problem: 'a block of JSON-LD in the page is no JSON' };
  }
}

const isJsonLd = (type = '') => type.split(';')[0]?.trim().toLowerCase() === 'application/ld+json';

/** Finds the JSON-LD of a page, by a scan. */
export function jsonLdOfPage(html: string): JsonLd[] {
  const found: JsonLd[] = [];
  for (const { name, attributes, text } of partsOfPage(html))
    if (name === 'script' && isJsonLd(attributes.get('type'))) found.push(parse(text));
  return found;
}
