/** A value in a JSON text, and where it stands. */
export interface JsonNode {
  readonly start: number;
  readonly end: number;
  /** The value itself, of a text, a number, `true`, `false` or `null`. */
  readonly scalar?: unknown;
  /** The members of an object in their order. */
  readonly members?: readonly (readonly [key: string, value: JsonNode])[];
  /** The items of a list. */
  readonly items?: readonly JsonNode[];
}

const maxDepth = 200;
const space = /[\t\n\r ]*/y;
const scalarForm = /"(?:[^"\\]|\\.)*"|[^\t\n\r ,:[\]{}]+/y;

/** Finds the places in a text that `JSON.parse` takes. */
class JsonScan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  node(depth = 0): JsonNode {
    if (depth > maxDepth) throw new RangeError('the JSON is nested too deeply');
    const start = this.#skip(space);
    const opening = this.#text[start];
    if (opening === '{') {
      const members = this.#parts('}', () => this.#member(depth + 1));
      return { start, end: this.#at, members };
    }
    if (opening === '[') {
      const items = this.#parts(']', () => this.node(depth + 1));
      return { start, end: this.#at, items };
    }
    return { start, end: this.#skip(scalarForm), scalar: JSON.parse(this.#text.slice(start, this.#at)) };
  }

  /** The parts between brackets, with the commas between them. */
  #parts<Part>(closing: string, read: () => Part): Part[] {
    const parts: Part[] = [];
    this.#at++;
    while (this.#text[this.#skip(space)] !== closing) {
      if (this.#text[this.#at] === ',') this.#at++;
      parts.push(read());
    }
    this.#at++;
    return parts;
  }

  #member(depth: number): readonly [string, JsonNode] {
    const start = this.#skip(space);
    const key: string = JSON.parse(this.#text.slice(start, this.#skip(scalarForm)));
    this.#skip(space);
    this.#at++;
    return [key, this.node(depth)];
  }

  /** Goes on to the end of what matches here, which it gives. */
  #skip(form: RegExp): number {
    form.lastIndex = this.#at;
    this.#at += form.exec(this.#text)?.[0].length ?? 0;
    return this.#at;
  }
}

/** Reads a JSON text with the places of all values; `undefined` where it is no JSON, or nested too deeply. */
export function readJsonNodes(text: string): JsonNode | undefined {
  try {
    JSON.parse(text);
    return new JsonScan(text).node();
  } catch {
    return undefined;
  }
}

/** The value of an object's member; of several with one name the last, as `JSON.parse` has it. */
export function memberOf({ members = [] }: JsonNode, name: string): JsonNode | undefined {
  return members.findLast(([key]) => key === name)?.[1];
}

/** A value and all values in it, outer ones first. */
export function nodesIn(node: JsonNode): JsonNode[] {
  const inner = [...(node.items ?? []), ...(node.members ?? []).map(([, value]) => value)];
  return [node, ...inner.flatMap(nodesIn)];
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON for a script element: in ASCII, and with nothing in it that could end the element or begin a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&]|[^ -~]/g, escaped);
}
