/** A node of a parsed page, as a browser's DOM and parse5 both have it. */
export interface MarkupNode {
  /** Name of an element, in either case; `#text` of a text. */
  readonly nodeName: string;
  readonly childNodes?: ArrayLike<MarkupNode>;
  /** Characters of a text, in parse5. */
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

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Elements that are a paragraph of their own, or several. */
const blocks = words(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p pre search ' +
    'section summary table tbody td tfoot th thead tr ul xmp',
);

/** Elements without text of the article, whatever is in them. */
const leftOut = words(
  'applet area audio base button canvas datalist embed frame frameset head iframe img input link map math meta meter ' +
    'noembed noframes noscript object output param picture progress rp script select source style svg template ' +
    'textarea title track video',
);

const preformatted = words('listing pre xmp');

const nameOf = ({ nodeName }: MarkupNode) => nodeName.toLowerCase();

function attributeOf({ attrs, attributes }: MarkupNode, wanted: string): string | undefined {
  return Array.from(attrs ?? attributes ?? []).find(({ name }) => name === wanted)?.value;
}

function isLeftOut(node: MarkupNode): boolean {
  return (
    leftOut.has(nameOf(node)) ||
    attributeOf(node, 'hidden') !== undefined ||
    attributeOf(node, 'data-indelible-exclude') !== undefined ||
    (attributeOf(node, 'class') ?? '').split(/[\t\n\f\r ]+/).includes('attestation-badge')
  );
}

const childrenOf = ({ childNodes = [] }: MarkupNode): MarkupNode[] => Array.from(childNodes);

function find(root: MarkupNode, isWanted: (node: MarkupNode) => boolean): MarkupNode | undefined {
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (isWanted(node)) return node;
    for (const child of childrenOf(node).reverse()) open.push(child);
  }
  return undefined;
}

/** The element with the article: what is marked as attested, else the first `article`, `main` or the whole body. */
function articleIn(root: MarkupNode): MarkupNode {
  const named = (name: string) => find(root, (node) => nameOf(node) === name);
  const marked = find(root, (node) => attributeOf(node, 'data-indelible') !== undefined);
  return marked ?? named('article') ?? named('main') ?? named('body') ?? root;
}

/** The paragraphs of a text, as their words come in. */
class Paragraphs {
  readonly #done: string[] = [];
  #current = '';
  #isSpaceDue = false;

  /** Adds text, in which a run of spaces and line ends is one space, unless it is preformatted. */
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
    if (lines.length > 0) this.#done.push(lines.join('\n'));
    this.#current = '';
    this.#isSpaceDue = false;
  }

  /** All of them, with an empty line between. */
  get text(): string {
    return this.#done.join('\n\n');
  }
}

/**
 * The text of a page's article, as the profile has it before `exactText`: each block element is a paragraph, `br` ends a line,
 * runs of spaces are one but in `pre`. What is hidden by an attribute, scripts, forms, pictures and embedded pages are left
 * out; what style sheets hide is not.
 */
export function textOfMarkup(root: MarkupNode): string {
  const paragraphs = new Paragraphs();
  // Not by recursion: pages may nest deeper than the stack. `undefined` stands where a block ends.
  const open: [node: MarkupNode | undefined, isPreformatted: boolean][] = [[articleIn(root), false]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, isPreformatted] = next;
    const name = node && nameOf(node);
    if (!node || name === undefined) paragraphs.endParagraph();
    else if (name === '#text') paragraphs.add(node.value ?? node.nodeValue ?? '', isPreformatted);
    else if (name === 'br') paragraphs.endLine();
    else if (!isLeftOut(node)) {
      if (blocks.has(name)) paragraphs.endParagraph();
      if (blocks.has(name)) open.push([undefined, false]);
      const isInside = isPreformatted || preformatted.has(name);
      for (const child of childrenOf(node).reverse()) open.push([child, isInside]);
    }
  }
  paragraphs.endParagraph();
  return paragraphs.text;
}
