/** A part of a page in its order: characters that are shown, or an element by its start tag. */
export interface PagePart {
  /** Name of the element in lower case; `#text` of characters. */
  readonly name: string;
  /** Attributes of the start tag by their names in lower case, character references replaced. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Characters as they are written, of an element that holds nothing but text too. */
  readonly text: string;
}

/** Elements whose content a browser takes as text, so that no tag in it counts, up to the end tag by which it is found. */
const endTags: ReadonlyMap<string, RegExp> = new Map(
  'script style textarea title xmp iframe noembed noframes noscript'
    .split(' ')
    .map((name) => [name, new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi')]),
);
const templateEnd = /<\/template(?=[\t\n\f\r />])/iy;
/** What is left of a comment after its first four characters; `<!-->` is a whole one. */
const commentRest = /-?>|[\s\S]*?--!?>/y;

const tagName = /[a-z][^\t\n\f\r />]*/iy;
/** One attribute; a quotation mark without its partner belongs to the name of another. */
const attribute =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r "'>][^\t\n\f\r >]*)))?/y;

const named: Readonly<Record<string, string>> = {
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

/** Replaces character references: numbers, and the names that are usual in attributes. */
export function unescapeHtml(text: string): string {
  return text.replace(
    /&(?:#x([\da-f]+)|#(\d+)|(amp|lt|gt|quot|apos|nbsp));/gi,
    (reference, hex?: string, decimal?: string, name?: string) =>
      name === undefined
        ? character(reference, hex ?? decimal, hex !== undefined)
        : (named[name.toLowerCase()] ?? reference),
  );
}

/** The match of a sticky form at a place. */
function matchAt(form: RegExp, html: string, at: number): RegExpExecArray | null {
  form.lastIndex = at;
  return form.exec(html);
}

/** One for all: a page may have a million tags. */
const noAttributes: ReadonlyMap<string, string> = new Map();

/** A start tag, and where what is after it begins; `undefined` where there is none. */
function startTagAt(html: string, at: number) {
  const [name] = matchAt(tagName, html, at + 1) ?? [];
  if (name === undefined) return undefined;
  let attributes: Map<string, string> | undefined;
  let end = at + 1 + name.length;
  for (let match = matchAt(attribute, html, end); match; match = matchAt(attribute, html, end)) {
    const [all, key = '', ...values] = match;
    const value = values.find((one) => one !== undefined) ?? '';
    attributes ??= new Map();
    // Of two with one name a browser takes the first.
    if (!attributes.has(key.toLowerCase())) attributes.set(key.toLowerCase(), unescapeHtml(value));
    end += all.length;
  }
  return { name: name.toLowerCase(), attributes: attributes ?? noAttributes, start: after(html, '>', end) };
}

/** The place after the next of these characters; the end of the page where there is none. */
function after(html: string, characters: string, from: number): number {
  const at = html.indexOf(characters, from);
  return at < 0 ? html.length : at + characters.length;
}

/** Where the content of an element that holds nothing but text ends; the end of the page where no end tag is. */
function endOfText(html: string, endTag: RegExp, start: number): number {
  endTag.lastIndex = start;
  return endTag.exec(html)?.index ?? html.length;
}

/**
 * Scans a page for its start tags and the characters between them, without what is in a template. A whole HTML parser would find
 * the same in pages that are well-formed as far as comments, tags and elements of text go; in others it may find less or more. It
 * takes no longer for a hostile page than for another of the same length.
 */
export function* partsOfPage(html: string): Generator<PagePart> {
  let from = 0;
  let templates = 0;
  while (from < html.length) {
    const next = html.indexOf('<', from);
    const at = next < 0 ? html.length : next;
    if (at > from && templates === 0)
      yield { name: '#text', attributes: noAttributes, text: html.slice(from, at) };
    const tag = startTagAt(html, at);
    if (html.startsWith('<!--', at))
      from = matchAt(commentRest, html, at + 4) ? commentRest.lastIndex : html.length;
    else if (/[!/?]/.test(html.charAt(at + 1))) {
      if (matchAt(templateEnd, html, at)) templates = Math.max(0, templates - 1);
      from = after(html, '>', at);
    } else if (!tag) from = at + 1;
    else {
      const { name, attributes, start } = tag;
      const endTag = endTags.get(name);
      from = endTag ? endOfText(html, endTag, start) : start;
      if (templates === 0) yield { name, attributes, text: html.slice(start, from) };
      if (name === 'template') templates++;
    }
  }
}
