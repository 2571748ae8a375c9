import { shown } from '../reference/reference-parts.ts';

/** A proof file that cannot be read; the message is one plain line that says what is wrong, and where. */
export class ProofInvalidError extends Error {
  override name = 'ProofInvalidError';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return shown(value);
  if (value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list' : isRecord(value) ? 'an object' : String(value);
}

/** The error of a kind of file; its message says what is wrong, and where. */
type FileInvalidError = new (message: string) => Error;

/** A part of a JSON document, and where it is. Its methods throw the error of the file where it is something else. */
export class Part {
  readonly path: string;
  readonly #value: unknown;
  readonly #invalid: FileInvalidError;

  constructor(value: unknown, path = '', invalid: FileInvalidError = ProofInvalidError) {
    this.#value = value;
    this.path = path;
    this.#invalid = invalid;
  }

  /** @throws the error of the file, always */
  fail(expected: string): never {
    return this.refuse(`must be ${expected}, not ${kindOf(this.#value)}`);
  }

  /** @param problem what is wrong with the part, in words that go on from its name */
  refuse(problem: string): never {
    throw new this.#invalid(`${this.path === '' ? 'the file' : this.path} ${problem}`);
  }

  field(name: string): Part {
    if (!isRecord(this.#value)) this.fail('an object');
    const path = this.path === '' ? name : `${this.path}.${name}`;
    // Own fields alone: "constructor" is no field of a file.
    return new Part(Object.hasOwn(this.#value, name) ? this.#value[name] : undefined, path, this.#invalid);
  }

  /** Reads a field that may be missing. */
  optional<Value>(name: string, read: (part: Part) => Value): Value | undefined {
    const part = this.field(name);
    return part.#value === undefined ? undefined : read(part);
  }

  isNull(): boolean {
    return this.#value === null;
  }

  list<Value>(maxLength: number, read: (part: Part) => Value): Value[] {
    const items: unknown = this.#value;
    if (!Array.isArray(items)) this.fail('a list');
    if (items.length > maxLength) this.refuse(`has ${items.length} items, more than ${maxLength}`);
    return items.map((item: unknown, position) =>
      read(new Part(item, `${this.path}[${position}]`, this.#invalid)),
    );
  }

  text(form: RegExp, expected: string): string {
    const value = this.#value;
    return typeof value === 'string' && form.test(value) ? value : this.fail(expected);
  }

  /** A whole number from `least` to 2^53 - 1. */
  number(least: number): number {
    const value = this.#value;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
    return this.fail(`a whole number from ${least} on`);
  }

  boolean(): boolean {
    const value = this.#value;
    return typeof value === 'boolean' ? value : this.fail('true or false');
  }
}
