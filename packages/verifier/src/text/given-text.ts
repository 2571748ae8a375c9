/** A text as it was given. */
export interface GivenText {
  /** `undefined` for a string with half a surrogate pair, which has no bytes. */
  readonly bytes: Uint8Array | undefined;
  /** `undefined` for bytes that are not UTF-8. */
  readonly text: string | undefined;
}

/** Decodes without dropping a byte order mark, which is part of what was attested; `undefined` where it is no such text. */
export function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reads a text from a string or from the bytes of a file. Files are best given as bytes: much that reads text drops some. */
export function readGivenText(given: string | Uint8Array): GivenText {
  if (typeof given !== 'string') return { bytes: given, text: decode(given, 'utf-8') };
  // Encoded as it is, half a pair would become U+FFFD, and the text pass for another one.
  return { bytes: given.isWellFormed() ? new TextEncoder().encode(given) : undefined, text: given };
}
