import type { Address, Hex } from './hex.ts';
import { type AttestationReference, normalizeReference } from './reference/reference.ts';
import { excerpt, parseAddress, ReferenceInvalidError } from './reference/reference-parts.ts';

/** Makes the error of a file from a line that states the problem and its location. */
type FileError = (problem: string) => Error;

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return excerpt(value);
  return Array.isArray(value) ? 'a list' : isRecord(value) ? 'an object' : String(value);
}

/** Parses JSON with an optional byte order mark. The error omits the parser's message, which may quote the file. */
function parseJson(file: string | Uint8Array, maxBytes: number, error: FileError): unknown {
  if (file.length > maxBytes) throw error(`is longer than ${maxBytes} bytes`);
  let text = file;
  try {
    if (typeof text !== 'string') text = new TextDecoder('utf-8', { fatal: true }).decode(text);
  } catch {
    throw error('is not UTF-8 text');
  }
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw error('is not JSON');
  }
}

/** A part of a JSON document with its path. Its methods throw the file's error if the part has another form. */
export class Part {
  readonly value: unknown;
  readonly #subject: string;
  readonly #path: string;
  readonly #error: FileError;

  private constructor(value: unknown, subject: string, path: string, error: FileError) {
    this.value = value;
    this.#subject = subject;
    this.#path = path;
    this.#error = error;
  }

  /** @param file JSON as a string or bytes, or parsed  @param name subject of messages about the whole file */
  static ofFile(file: string | Uint8Array | object, maxBytes: number, error: FileError, name = 'the file') {
    const isJson = typeof file === 'string' || file instanceof Uint8Array;
    const value = isJson ? parseJson(file, maxBytes, (problem) => error(`${name} ${problem}`)) : file;
    return new Part(value, name, '', error);
  }

  /** @param value parsed JSON */
  static ofValue(value: unknown, error: FileError): Part {
    return new Part(value, 'it', '', error);
  }

  fail(expected: string): never {
    if (this.value === undefined) return this.refuse(`is missing; it must be ${expected}`);
    return this.refuse(`must be ${expected}, not ${describeValue(this.value)}`);
  }

  /** @param problem follows the part's name in the message */
  refuse(problem: string): never {
    throw this.#error(`${this.#subject} ${problem}`);
  }

  field(name: string): Part {
    if (!isRecord(this.value)) this.fail('an object');
    const path = this.#path === '' ? name : `${this.#path}.${name}`;
    // Reads only own fields, so that "constructor" is not a field.
    return new Part(Object.hasOwn(this.value, name) ? this.value[name] : undefined, path, path, this.#error);
  }

  optional<Value>(name: string, read: (part: Part) => Value): Value | undefined {
    const part = this.field(name);
    return part.value === undefined ? undefined : read(part);
  }

  list<Value>(min: number, max: number, read: (part: Part) => Value): Value[] {
    const items: unknown = this.value;
    if (!Array.isArray(items)) this.fail('a list');
    if (items.length > max) this.refuse(`has ${items.length} items, more than ${max}`);
    if (items.length < min) this.refuse(`has ${items.length} items, fewer than ${min}`);
    return items.map((item: unknown, position) => {
      const path = `${this.#path}[${position}]`;
      return read(new Part(item, path, path, this.#error));
    });
  }

  text(form = /^/, expected = 'a string'): string {
    const { value } = this;
    return typeof value === 'string' && form.test(value) ? value : this.fail(expected);
  }

  /** A whole number from `min` to 2^53 - 1. */
  number(min: number): number {
    const { value } = this;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value;
    return this.fail(`a whole number of at least ${min}`);
  }

  boolean(): boolean {
    return typeof this.value === 'boolean' ? this.value : this.fail('true or false');
  }

  bytes(): Hex {
    return this.text(/^0x(?:[0-9a-f]{2})*$/, 'bytes, 0x and pairs of lower-case hexadecimal digits') as Hex;
  }

  /** 32 bytes in lower case. */
  word(): Hex {
    return this.text(/^0x[0-9a-f]{64}$/, '0x and 64 lower-case hexadecimal digits') as Hex;
  }

  /** 32 bytes in either case. */
  hash(): Hex {
    return this.text(/^0x[0-9a-f]{64}$/i, '32 bytes in hexadecimal') as Hex;
  }

  /** Hexadecimal digits in either case, possibly none. */
  hex(): Hex {
    return this.text(/^0x[0-9a-f]*$/i, 'hexadecimal') as Hex;
  }

  quantity(): number {
    const number = Number(this.text(/^0x[0-9a-f]+$/i, 'a quantity'));
    return Number.isSafeInteger(number) ? number : this.fail('a quantity below 2^53');
  }

  address(): Address {
    return this.#parse(() => parseAddress(this.#subject, this.text()));
  }

  version(): 1 {
    const version = this.field('version');
    return version.value === 1 ? 1 : version.fail('1, the only supported version');
  }

  /** The reference in this part; formats differ in the names of two fields. */
  reference(contentCid = 'contentCid', authorityAddress = 'authorityAddress'): AttestationReference {
    const reference = {
      contentCid: this.field(contentCid).text(),
      chainId: this.field('chainId').number(1),
      registryAddress: this.field('registryAddress').text() as Address,
      authorityAddress: this.field(authorityAddress).text() as Address,
      attestationIndex: this.field('attestationIndex').number(1),
    };
    return this.#parse(() => normalizeReference(reference), `${this.#subject}: `);
  }

  #parse<Value>(parse: () => Value, prefix = ''): Value {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof ReferenceInvalidError)) throw error;
      throw this.#error(`${prefix}${error.message}`);
    }
  }
}
