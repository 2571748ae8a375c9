/** A part of a page: text, or an element's start tag. */
export interface PagePart {
  /** Name of the element in lower case, or `#text`. */
  readonly name: string;
  /** Attributes by name in lower case, with decoded values. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Undecoded text: of a text part, or of an element that contains only text. */
  readonly text: string;
}

/** Elements whose content browsers parse as text, with their end tags. */
const endTags: ReadonlyMap<string, RegExp> = new Map(
  'script style textarea title xmp iframe noembed noframes noscript'
    .split(' ')
    .map((name) => [name, new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi')]),
);
const templateEnd = /<\/template(?=[\t\n\f\r />])/iy;
/** The rest of a comment after `<!--`; `<!-->` is complete. */
const commentRest = /-?>|[\s\S]*?--!?>/y;

const tagName = /[a-z][^\t\n\f\r />]*/iy;
/** One attribute; an unpaired quotation mark belongs to a name. */
const attribute =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r "'>][^\t\n\f\r >]*)))?/y;

const namedCharacters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

function character(reference: string, digits: string | undefined, isHex: boolean): string {
  const codePoint = Number.parseInt(digits ?? '', isHex ? 16 : 10);
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : reference;
}

/** Decodes numeric and common named character references. */
export function unescapeHtml(text: string): string {
  return text.replace(
    /&(?:#x([\da-f]+)|#(\d+)|(amp|lt|gt|quot|apos|nbsp));/gi,
    (reference, hex?: string, decimal?: string, name?: string) =>
      name === undefined
        ? character(reference, hex ?? decimal, hex !== undefined)
        : (namedCharacters[name.toLowerCase()] ?? reference),
  );
}

function matchAt(form: RegExp, html: string, index: number): RegExpExecArray | null {
  form.lastIndex = index;
  return form.exec(html);
}

const noAttributes: ReadonlyMap<string, string> = new Map();

function startTagAt(html: string, index: number) {
  const [name] = matchAt(tagName, html, index + 1) ?? [];
  if (name === undefined) return undefined;
  let attributes: Map<string, string> | undefined;
  let end = index + 1 + name.length;
  for (let match = matchAt(attribute, html, end); match; match = matchAt(attribute, html, end)) {
    const [attributeText, key = '', ...values] = match;
    const value = values.find((candidate) => candidate !== undefined) ?? '';
    attributes ??= new Map();
    // Browsers use the first of two attributes with the same name.
    if (!attributes.has(key.toLowerCase())) attributes.set(key.toLowerCase(), unescapeHtml(value));
    end += attributeText.length;
  }
  const start = positionAfter(html, '>', end);
  return { name: name.toLowerCase(), attributes: attributes ?? noAttributes, start };
}

/** The position after these characters, or the end of the page. */
function positionAfter(html: string, characters: string, from: number): number {
  const index = html.indexOf(characters, from);
  return index < 0 ? html.length : index + characters.length;
}

function endOfText(html: string, endTag: RegExp, start: number): number {
  endTag.lastIndex = start;
  return endTag.exec(html)?.index ?? html.length;
}

/**
 * Scans a page for start tags and text outside of templates. For well-formed pages, an HTML parser finds the same. The
 * scan takes linear time for any page.
 */
export function* partsOfPage(html: string): Generator<PagePart> {
  let from = 0;
  let templates = 0;
  while (from < html.length) {
    const next = html.indexOf('<', from);
    const index = next < 0 ? html.length : next;
    if (index > from && templates === 0)
      yield { name: '#text', attributes: noAttributes, text: html.slice(from, index) };
    const tag = startTagAt(html, index);
    if (html.startsWith('<!--', index))
      from = matchAt(commentRest, html, index + 4) ? commentRest.lastIndex : html.length;
    else if (/[!/?]/.test(html.charAt(index + 1))) {
      if (matchAt(templateEnd, html, index)) templates = Math.max(0, templates - 1);
      from = positionAfter(html, '>', index);
    } else if (!tag) from = index + 1;
    else {
      const { name, attributes, start } = tag;
      const endTag = endTags.get(name);
      from = endTag ? endOfText(html, endTag, start) : start;
      if (templates === 0) yield { name, attributes, text: html.slice(start, from) };
      if (name === 'template') templates++;
    }
  }
}
