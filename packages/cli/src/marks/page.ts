import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parse, type Token } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;

export interface PlacedElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly place: Token.ElementLocation;
}

/** The elements in a page's source, in order. Elements that the parser implies are not included. */
export interface Page {
  readonly source: string;
  readonly elements: readonly PlacedElement[];
}

/** All elements below a node, without the content of templates. */
function elementsBelow(node: DefaultTreeAdapterTypes.ParentNode): Element[] {
  const found: Element[] = [];
  const open = [...node.childNodes].reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    if (!defaultTreeAdapter.isElementNode(next)) continue;
    if (next.namespaceURI === html.NS.HTML) found.push(next);
    for (const child of [...next.childNodes].reverse()) open.push(child);
  }
  return found;
}

export function readPage(source: string): Page {
  const document = parse(source, { sourceCodeLocationInfo: true });
  const elements = elementsBelow(document).flatMap(({ tagName: name, attrs, sourceCodeLocation: place }) =>
    place?.startTag
      ? [{ name, place, attributes: new Map(attrs.map((attribute) => [attribute.name, attribute.value])) }]
      : [],
  );
  return { source, elements };
}

export function contentOf({ source }: Page, { place }: PlacedElement): { start: number; text: string } {
  const start = place.startTag?.endOffset ?? place.startOffset;
  return { start, text: source.slice(start, place.endTag?.startOffset ?? place.endOffset) };
}

/** Whether an attribute with a list of words, such as `class`, contains a word. */
export function hasWord({ attributes }: PlacedElement, name: string, word: string): boolean {
  return (attributes.get(name) ?? '')
    .toLowerCase()
    .split(/[\t\n\f\r ]+/)
    .includes(word);
}

const characterReference = (character: string) => `&#x${character.codePointAt(0)?.toString(16)};`;

/** Escapes text for HTML content or attributes. The result is ASCII, so it fits each encoding of a page. */
export function escapeHtml(text: string): string {
  return text.replace(/[^ !#-%'-;=?-~]/gu, characterReference);
}

/** Domain of a page's canonical URL. Like all content of the page, it is only a claim. */
export function domainOfPage(source: string): string | undefined {
  const links = readPage(source).elements.filter(
    (element) => element.name === 'link' && hasWord(element, 'rel', 'canonical'),
  );
  const address = links[0]?.attributes.get('href') ?? '';
  return /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).hostname : undefined;
}

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export const insertion = (at: number, text: string): Edit => ({ start: at, end: at, text });

/** Applies edits that do not overlap. Edits at one position keep their order. */
export function withEdits(page: string, edits: readonly Edit[]): string {
  let [text, at] = ['', 0];
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    text += page.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + page.slice(at);
}
