/** The kind of a file: a text, a page that names an attestation, a proof file or a quote proof. */
export type FileKind = 'text' | 'page' | 'proof' | 'quote';

/** Only quote proofs have the field `ipfsCid`. */
function isQuote(bytes: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null && 'ipfsCid' in value;
  } catch {
    return false;
  }
}

/** Determines the kind of a file by its name first, because a text may look like a proof. */
export function fileKind(name: string, bytes: Uint8Array): FileKind {
  if (/\.x?html?$/i.test(name)) return 'page';
  if (!/\.json$/i.test(name)) return 'text';
  return isQuote(bytes) ? 'quote' : 'proof';
}
