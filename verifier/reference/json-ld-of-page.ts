/** A script element of type application/ld+json: its value, or why it has none. */
export interface JsonLd {
  readonly value?: unknown;
  readonly problem?: string;
}

/** Elements whose content a browser takes as text up to their end tag, so that no tag in it counts. */
const textElements = 'script|style|textarea|title|xmp|iframe|noembed|noframes|noscript|template';
/** Attributes end at the first ">" outside of quotes. */
const startTag = new RegExp(`^<(${textElements})((?:[\\s/](?:[^>"']|"[^"]*"|'[^']*')*)?)>`, 'i');
/** A longer start tag is passed over: looking for the end of each would take a hostile page's length squared. */
const maxTagUnits = 2048;
const typeAttribute = /(?:^|[\s/])type\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

function endOfElement(html: string, lowerCase: string, name: string, from: number): number {
  const end = lowerCase.indexOf(`</${name}`, from);
  return end < 0 ? html.length : end;
}

const isJsonLd = (attributes: string): boolean => {
  const [, ...values] = typeAttribute.exec(attributes) ?? [];
  const type = values.find((value) => value !== undefined) ?? '';
  return type.split(';')[0]?.trim().toLowerCase() === 'application/ld+json';
};

function parse(json: string): JsonLd {
  try {
    return { value: JSON.parse(json) };
  } catch {
    return { problem: 'a block of JSON-LD in the page is no JSON' };
  }
}

/**
 * Finds the JSON-LD of a page by a scan for comments and for elements that hold text. A whole HTML parser would find the
 * same in pages that are well-formed as far as these go; in others it may find less or more, which no verdict rests on.
 */
export function jsonLdOfPage(html: string): JsonLd[] {
  const found: JsonLd[] = [];
  // Letters outside of ASCII stay as they are: in lower case some have another length.
  const lowerCase = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  let at = html.indexOf('<');
  while (at >= 0) {
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 4);
      if (end < 0) break;
      at = html.indexOf('<', end + 3);
      continue;
    }
    const [tag = '<', name = '', attributes = ''] = startTag.exec(html.slice(at, at + maxTagUnits)) ?? [];
    const start = at + tag.length;
    const end = name === '' ? start : endOfElement(html, lowerCase, name.toLowerCase(), start);
    if (name.toLowerCase() === 'script' && isJsonLd(attributes)) found.push(parse(html.slice(start, end)));
    at = html.indexOf('<', end);
  }
  return found;
}
