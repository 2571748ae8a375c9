import { chunkUnits } from '../text/quote-tree.ts';
import { fail, type QuoteSegment } from './quote-proof.ts';

/** A segment's part of one chunk: the units from `from` up to, but not including, `to`. */
interface Piece {
  readonly index: number;
  readonly chunk: string;
  readonly from: number;
  readonly to: number;
}

function piecesOf({ text, chunk: first, offset }: QuoteSegment, chunks: ReadonlyMap<number, string>) {
  const pieces: Piece[] = [];
  let [remaining, index, from] = [text, first, offset];
  while (remaining !== '') {
    const chunk = chunks.get(index) ?? fail(`Chunk ${index} of the quoted text is missing.`);
    const piece = chunk.slice(from, from + remaining.length);
    if (piece === '' || !remaining.startsWith(piece)) fail('A chunk does not contain the quoted text.');
    pieces.push({ index, chunk, from, to: from + piece.length });
    remaining = remaining.slice(piece.length);
    [index, from] = [index + 1, 0];
  }
  return pieces;
}

/** Whether a piece has U+FFFD at a border. Public tools hash each half of a split surrogate pair as this character. */
function isAmbiguous({ index, chunk, from, to }: Piece): boolean {
  const atStart = index > 0 && from === 0 && chunk.startsWith('\ufffd');
  const atEnd = chunk.length === chunkUnits && to === chunkUnits && chunk.endsWith('\ufffd');
  return atStart || atEnd;
}

const isBefore = (end: Piece, start: Piece) =>
  end.index < start.index || (end.index === start.index && end.to <= start.from);

/** Checks that the chunks contain the segments in order, without unused chunks. @throws QuoteProofInvalidError */
export function checkSegments(segments: readonly QuoteSegment[], chunks: ReadonlyMap<number, string>): void {
  const pieces: Piece[] = [];
  for (const segment of segments) {
    const [first, ...others] = piecesOf(segment, chunks);
    const last = pieces.at(-1);
    if (!first) fail('A quoted piece is empty.');
    if (last && !isBefore(last, first)) fail('The quoted pieces are not in the order of the text.');
    pieces.push(first, ...others);
  }
  if (pieces.some(isAmbiguous))
    fail('A quoted character is split between two chunks, so the quote root does not prove it.');
  if (new Set(pieces.map(({ index }) => index)).size < chunks.size)
    fail('The proof has a chunk that no quoted piece uses.');
}
