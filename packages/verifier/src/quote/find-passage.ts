/** A passage that cannot be quoted from a text; the message is one plain sentence that says why, and nothing of the text. */
export class PassageInvalidError extends Error {
  override name = 'PassageInvalidError';
}

/** A piece of a passage, and where it stands in a text. */
export interface FoundPiece {
  readonly text: string;
  /** UTF-16 units before it. */
  readonly start: number;
}

/** What readers take for an omission: an ellipsis, or anything in square brackets. Nested ones would take time squared. */
const omission = /\.{3,}|…|\[[^[\]]*\]/;

/** A passage with omissions in its pieces. One that stands in the text as it is has none: texts have ellipses of their own. */
function piecesOf(text: string, passage: string | readonly string[]): readonly string[] {
  if (typeof passage !== 'string') return passage;
  if (text.includes(passage)) return [passage];
  return passage
    .split(omission)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

const loosely = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();

function whyMissing(text: string, pieces: readonly string[], place: number): string {
  const piece = pieces[place] ?? '';
  const name = pieces.length === 1 ? 'The passage' : `Piece ${place + 1} of the passage`;
  if (text.includes(piece)) return `${name} is in the text, but not after the piece before it.`;
  const isNear = loosely(text).includes(loosely(piece));
  const hint = isNear ? ': it is there with other white space or another Unicode form' : '';
  return `${name} is not in the text${hint}.`;
}

/**
 * Finds a passage in a text, exactly as it stands there: each piece at its first place after the piece before it.
 * @param passage the pieces in order, or one string, in which an ellipsis or words in square brackets stand for omissions
 * @throws PassageInvalidError
 */
export function findPassage(text: string, passage: string | readonly string[]): FoundPiece[] {
  const pieces = piecesOf(text, passage);
  if (pieces.length === 0 || pieces.includes('')) throw new PassageInvalidError('There is nothing to quote.');
  // Half a character can be part of many; it would also be found inside of whole ones.
  if (!pieces.every((piece) => piece.isWellFormed()))
    throw new PassageInvalidError('The passage has half a character (a lone surrogate).');
  let from = 0;
  return pieces.map((piece, place) => {
    const start = text.indexOf(piece, from);
    if (start === -1) throw new PassageInvalidError(whyMissing(text, pieces, place));
    from = start + piece.length;
    return { text: piece, start };
  });
}
