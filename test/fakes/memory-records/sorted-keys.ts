/** Rank of a UTF-16 unit among UTF-8 bytes: surrogates are above everything else. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Compares keys in the order of their UTF-8 bytes, which is DynamoDB's order of sort keys. */
export function byBytes(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const difference = rankOf(a.charCodeAt(index)) - rankOf(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

export class SortedKeys {
  readonly #keys: string[] = [];

  get size(): number {
    return this.#keys.length;
  }

  add(key: string): void {
    const position = this.positionOf(key);
    if (this.#keys[position] !== key) this.#keys.splice(position, 0, key);
  }

  remove(key: string): void {
    const position = this.positionOf(key);
    if (this.#keys[position] === key) this.#keys.splice(position, 1);
  }

  /** The position of the first key at or above this one. */
  positionOf(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (byBytes(this.#keys[middle] ?? '', key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  slice(from: number, to: number): string[] {
    return this.#keys.slice(from, to);
  }
}
