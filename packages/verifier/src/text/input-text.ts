/** A text from a string or bytes. */
export interface InputText {
  /** `undefined` for a string with a lone surrogate. */
  readonly bytes: Uint8Array | undefined;
  /** `undefined` for bytes that are not UTF-8. */
  readonly text: string | undefined;
}

/** Decodes bytes, and keeps a byte order mark, which is part of the content; `undefined` for invalid bytes. */
export function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Files are best given as bytes, because many functions that read text change it. */
export function readInputText(input: string | Uint8Array): InputText {
  if (typeof input !== 'string') return { bytes: input, text: decode(input, 'utf-8') };
  // Encoding would replace a lone surrogate with U+FFFD.
  return { bytes: input.isWellFormed() ? new TextEncoder().encode(input) : undefined, text: input };
}
