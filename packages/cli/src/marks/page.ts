import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parse, type Token } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;

/** An element that stands in the page, with the places of its parts. */
export interface PlacedElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly place: Token.ElementLocation;
}

/** The elements of a page in their order. Those that a browser makes up, because their tags are left out, are not there. */
export interface Page {
  readonly source: string;
  readonly elements: readonly PlacedElement[];
}

/** All elements below a node; what is in a template is not part of the page. */
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

/** Reads a page as a browser does. */
export function readPage(source: string): Page {
  const document = parse(source, { sourceCodeLocationInfo: true });
  const elements = elementsBelow(document).flatMap(({ tagName: name, attrs, sourceCodeLocation: place }) =>
    place?.startTag
      ? [{ name, place, attributes: new Map(attrs.map((attribute) => [attribute.name, attribute.value])) }]
      : [],
  );
  return { source, elements };
}

/** The content of an element between its tags. */
export function contentOf({ source }: Page, { place }: PlacedElement): { start: number; text: string } {
  const start = place.startTag?.endOffset ?? place.startOffset;
  return { start, text: source.slice(start, place.endTag?.startOffset ?? place.endOffset) };
}

/** Whether an attribute that is a list of words, such as `class`, has this one. */
export function hasWord({ attributes }: PlacedElement, name: string, word: string): boolean {
  return (attributes.get(name) ?? '')
    .toLowerCase()
    .split(/[\t\n\f\r ]+/)
    .includes(word);
}

const characterReference = (character: string) => `&#x${character.codePointAt(0)?.toString(16)};`;

/** A text for HTML, as content or in quotes; in ASCII, so that it is the same in each encoding of a page. */
export function escapeHtml(text: string): string {
  return text.replace(/[^ !#-%'-;=?-~]/gu, characterReference);
}

/** The domain that a page calls its own, by its canonical address; a claim like all that is in it. */
export function domainOfPage(source: string): string | undefined {
  const links = readPage(source).elements.filter(
    (element) => element.name === 'link' && hasWord(element, 'rel', 'canonical'),
  );
  const address = links[0]?.attributes.get('href') ?? '';
  return /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).hostname : undefined;
}

/** A change of a page: what is between two places is replaced. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export const insertion = (at: number, text: string): Edit => ({ start: at, end: at, text });

/** Makes the changes, which do not overlap; those at one place in the order in which they are given. */
export function withEdits(page: string, edits: readonly Edit[]): string {
  let [text, at] = ['', 0];
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    text += page.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + page.slice(at);
}
