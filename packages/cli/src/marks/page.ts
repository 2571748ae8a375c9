import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parse, type Token } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;

export interface PageElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly range: Token.ElementLocation;
}

/** The elements in a page's source, in order. Elements that the parser implies are not included. */
export interface Page {
  readonly source: string;
  readonly elements: readonly PageElement[];
}

/** All HTML elements below a node, without the content of templates. */
function elementsBelow(node: DefaultTreeAdapterTypes.ParentNode): Element[] {
  const found: Element[] = [];
  const stack = [...node.childNodes].reverse();
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (!defaultTreeAdapter.isElementNode(next)) continue;
    if (next.namespaceURI === html.NS.HTML) found.push(next);
    for (const child of [...next.childNodes].reverse()) stack.push(child);
  }
  return found;
}

export function readPage(source: string): Page {
  const document = parse(source, { sourceCodeLocationInfo: true });
  const elements = elementsBelow(document).flatMap(({ tagName: name, attrs, sourceCodeLocation: range }) =>
    range?.startTag
      ? [{ name, range, attributes: new Map(attrs.map((attribute) => [attribute.name, attribute.value])) }]
      : [],
  );
  return { source, elements };
}

export function contentOf({ source }: Page, { range }: PageElement): { start: number; text: string } {
  const start = range.startTag?.endOffset ?? range.startOffset;
  return { start, text: source.slice(start, range.endTag?.startOffset ?? range.endOffset) };
}

/** Whether an attribute with a list of words, such as `class`, contains a word. */
export function hasWord({ attributes }: PageElement, name: string, word: string): boolean {
  return (attributes.get(name) ?? '')
    .toLowerCase()
    .split(/[\t\n\f\r ]+/)
    .includes(word);
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

export const insertion = (position: number, text: string): Edit => ({ start: position, end: position, text });

/** Applies edits that do not overlap. Edits at one position keep their order. */
export function withEdits(page: string, edits: readonly Edit[]): string {
  let [text, position] = ['', 0];
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    text += page.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return text + page.slice(position);
}
