/** A node of a parsed page, in a browser's DOM or parse5. */
export interface MarkupNode {
  /** Name of an element, in upper or lower case, or `#text`. */
  readonly nodeName: string;
  readonly childNodes?: ArrayLike<MarkupNode>;
  /** Characters of a text node, in parse5. */
  readonly value?: string;
  /** The same in the DOM. */
  readonly nodeValue?: string | null;
  /** Attributes, in parse5. */
  readonly attrs?: ArrayLike<MarkupAttribute>;
  /** The same in the DOM. */
  readonly attributes?: ArrayLike<MarkupAttribute>;
}

interface MarkupAttribute {
  readonly name: string;
  readonly value: string;
}

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const blocks = wordSet(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p pre search ' +
    'section summary table tbody td tfoot th thead tr ul xmp',
);

/** Elements whose content is not part of the article. */
const omittedElements = wordSet(
  'applet area audio base button canvas datalist embed frame frameset head iframe img input link map math meta meter ' +
    'noembed noframes noscript object output param picture progress rp script select source style svg template ' +
    'textarea title track video',
);

const preformatted = wordSet('listing pre xmp');

const nameOf = ({ nodeName }: MarkupNode) => nodeName.toLowerCase();

function attributeOf({ attrs, attributes }: MarkupNode, attributeName: string): string | undefined {
  return Array.from(attrs ?? attributes ?? []).find(({ name }) => name === attributeName)?.value;
}

function isOmitted(node: MarkupNode): boolean {
  return (
    omittedElements.has(nameOf(node)) ||
    attributeOf(node, 'hidden') !== undefined ||
    attributeOf(node, 'data-indelible-exclude') !== undefined ||
    (attributeOf(node, 'class') ?? '').split(/[\t\n\f\r ]+/).includes('attestation-badge')
  );
}

const childrenOf = ({ childNodes = [] }: MarkupNode): MarkupNode[] => Array.from(childNodes);

function findNode(root: MarkupNode, isWanted: (node: MarkupNode) => boolean): MarkupNode | undefined {
  const pending = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (isWanted(node)) return node;
    for (const child of childrenOf(node).reverse()) pending.push(child);
  }
  return undefined;
}

/** Returns the element marked as attested, else the first `article`, else the first `main`, else the body. */
function articleIn(root: MarkupNode): MarkupNode {
  const named = (name: string) => findNode(root, (node) => nameOf(node) === name);
  const marked = findNode(root, (node) => attributeOf(node, 'data-indelible') !== undefined);
  return marked ?? named('article') ?? named('main') ?? named('body') ?? root;
}

class Paragraphs {
  readonly #finished: string[] = [];
  #current = '';
  #isSpaceDue = false;

  /** Adds text; unless it is preformatted, collapses white space. */
  add(text: string, isPreformatted: boolean): void {
    const parts = isPreformatted ? [text] : text.split(/([\t\n\f\r ]+)/);
    for (const part of parts) {
      if (part === '') continue;
      if (!isPreformatted && /^[\t\n\f\r ]/.test(part)) this.#isSpaceDue ||= this.#isAmidLine;
      else {
        this.#current += this.#isSpaceDue ? ` ${part}` : part;
        this.#isSpaceDue = false;
      }
    }
  }

  get #isAmidLine(): boolean {
    return this.#current !== '' && !this.#current.endsWith('\n');
  }

  endLine(): void {
    this.#isSpaceDue = false;
    this.#current += '\n';
  }

  endParagraph(): void {
    const lines = this.#current.split('\n');
    while (lines.at(-1) === '') lines.pop();
    while (lines[0] === '') lines.shift();
    if (lines.length > 0) this.#finished.push(lines.join('\n'));
    this.#current = '';
    this.#isSpaceDue = false;
  }

  get text(): string {
    return this.#finished.join('\n\n');
  }
}

/**
 * The text of a page's article, to pass to `exactText`. Each block element is a paragraph, `br` ends a line, and white space
 * collapses outside of `pre`. Omits hidden elements, scripts, form fields, pictures and embedded pages, but ignores style sheets.
 */
export function textOfMarkup(root: MarkupNode): string {
  const paragraphs = new Paragraphs();
  // Not recursive, because pages may nest deeply. `undefined` marks the end of a block.
  const pending: [node: MarkupNode | undefined, isPreformatted: boolean][] = [[articleIn(root), false]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [node, isPreformatted] = next;
    const name = node && nameOf(node);
    if (!node || name === undefined) paragraphs.endParagraph();
    else if (name === '#text') paragraphs.add(node.value ?? node.nodeValue ?? '', isPreformatted);
    else if (name === 'br') paragraphs.endLine();
    else if (!isOmitted(node)) {
      if (blocks.has(name)) paragraphs.endParagraph();
      if (blocks.has(name)) pending.push([undefined, false]);
      const isInside = isPreformatted || preformatted.has(name);
      for (const child of childrenOf(node).reverse()) pending.push([child, isInside]);
    }
  }
  paragraphs.endParagraph();
  return paragraphs.text;
}
