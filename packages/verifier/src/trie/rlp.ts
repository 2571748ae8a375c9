/** A decoded item of RLP: bytes, or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[];

/** Bytes that are not RLP, or not in its one canonical form; the message is one plain line. */
export class RlpInvalidError extends Error {
  override name = 'RlpInvalidError';
}

/** Nodes of tries and headers of blocks have at most three levels. */
const maxDepth = 16;
/** The longest payload whose length is in the first byte. */
const maxShortBytes = 55;
const stringBase = 0x80;
const listBase = 0xc0;

function fail(problem: string): never {
  throw new RlpInvalidError(problem);
}

/** An item's place: its payload is from `start` to `end`, where the next item begins. */
interface Frame {
  readonly isList: boolean;
  readonly start: number;
  readonly end: number;
}

function longLength(bytes: Uint8Array, at: number, count: number, limit: number): number {
  if (at + count > limit) fail('it ends within a length');
  const digits = bytes.subarray(at, at + count);
  const length = digits.reduce((sum, digit) => sum * 256 + digit, 0);
  if (digits[0] === 0 || length <= maxShortBytes) fail('a length is written longer than it needs to be');
  return length;
}

function frameAt(bytes: Uint8Array, at: number, limit: number): Frame {
  const first = bytes[at];
  if (first === undefined || at >= limit) fail('it is empty, or ends before an item');
  if (first < stringBase) return { isList: false, start: at, end: at + 1 };
  const isList = first >= listBase;
  const size = first - (isList ? listBase : stringBase);
  const lengthBytes = Math.max(0, size - maxShortBytes);
  const start = at + 1 + lengthBytes;
  const end = start + (lengthBytes === 0 ? size : longLength(bytes, at + 1, lengthBytes, limit));
  if (end > limit) fail('it ends within an item');
  if (!isList && size === 1 && (bytes[start] ?? 0) < stringBase) fail('a byte is written as two');
  return { isList, start, end };
}

function itemIn(bytes: Uint8Array, { isList, start, end }: Frame, depth: number): RlpItem {
  if (!isList) return bytes.subarray(start, end);
  if (depth === maxDepth) fail(`lists are nested deeper than ${maxDepth}`);
  const items: RlpItem[] = [];
  for (let at = start; at < end; ) {
    const frame = frameAt(bytes, at, end);
    items.push(itemIn(bytes, frame, depth + 1));
    at = frame.end;
  }
  return items;
}

/** Decodes one item, which must be all there is, in canonical form. @throws RlpInvalidError */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  const frame = frameAt(bytes, 0, bytes.length);
  if (frame.end !== bytes.length) fail('there is more after its end');
  return itemIn(bytes, frame, 0);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

function framed(base: number, payload: Uint8Array): Uint8Array {
  if (payload.length <= maxShortBytes) return joined([Uint8Array.of(base + payload.length), payload]);
  const digits: number[] = [];
  for (let rest = payload.length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return joined([Uint8Array.of(base + maxShortBytes + digits.length, ...digits), payload]);
}

/** Encodes an item. */
export function encodeRlp(item: RlpItem): Uint8Array {
  if (!(item instanceof Uint8Array)) return framed(listBase, joined(item.map(encodeRlp)));
  const [first = stringBase] = item;
  return item.length === 1 && first < stringBase ? item : framed(stringBase, item);
}
