/** What the page shows. */
export type View =
  | { readonly name: 'list' }
  | { readonly name: 'attestation'; readonly id: string }
  /** `corrects` is the ID of the attestation that the new text corrects. */
  | { readonly name: 'attest'; readonly corrects?: string };

const attestationView = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(\/correct)?$/i;

/** Parses the fragment of the page's URL. Anything unknown is the list. */
export function parseView(fragment: string): View {
  const text = fragment.replace(/^#/, '');
  if (text === 'attest') return { name: 'attest' };
  const [, id, corrects] = attestationView.exec(text) ?? [];
  if (!id) return { name: 'list' };
  return corrects ? { name: 'attest', corrects: id } : { name: 'attestation', id };
}
