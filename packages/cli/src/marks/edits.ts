/** A change of a page: what is between two places is replaced. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export const insertion = (at: number, text: string): Edit => ({ start: at, end: at, text });

/** Makes the changes, which do not overlap; those at one place in the order in which they are given. */
export function withEdits(page: string, edits: readonly Edit[]): string {
  const ordered = edits.map((edit, order) => ({ ...edit, order }));
  ordered.sort((a, b) => a.start - b.start || a.order - b.order);
  let [text, at] = ['', 0];
  for (const edit of ordered) {
    text += page.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + page.slice(at);
}
