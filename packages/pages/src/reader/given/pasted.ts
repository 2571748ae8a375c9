import type { FileKind } from 'imprimatur-verifier';

/** As a text area shows it: it takes LF alone for a line ending. */
export const asShown = (text: string) => text.replace(/\r\n?/g, '\n');

/**
 * The text that is meant, of what a text area shows: as it was copied, where all of it was pasted at once and nothing
 * was changed since.
 */
export function meantText(shown: string, copied: string | undefined): string {
  return copied !== undefined && asShown(copied) === shown ? copied : shown;
}

/** A reference that was pasted where the text belongs. */
export const isReference = (text: string) => /^\s*eip155:\S+\s*$/i.test(text);

/** What a pasted text may be beside a text: the reader is asked, for a text may look like a proof. */
export function lookOf(text: string): FileKind | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: object = JSON.parse(text);
    if ('ipfsCid' in value) return 'quote';
    return 'reference' in value && 'attested' in value ? 'proof' : undefined;
  } catch {
    return undefined;
  }
}
