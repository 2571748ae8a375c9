import { StandardMerkleTree } from '@openzeppelin/merkle-tree';

const chunkUnits = 46;

/** A boundary that would split a surrogate pair moves one unit on. */
function quoteChunks(text: string): string[] {
  const chunks: string[] = [];
  let chunk = '';
  // Iterating a string goes by whole characters, so no pair is ever split.
  for (const character of text) {
    chunk += character;
    if (chunk.length < chunkUnits) continue;
    chunks.push(chunk);
    chunk = '';
  }
  return chunk === '' ? chunks : [...chunks, chunk];
}

/** Computes the root that the registry keeps as `qvHash`; undefined for an empty text, which has none. */
export function quoteRootOfText(text: string): string | undefined {
  if (text === '') return undefined;
  const leaves = quoteChunks(text).map((chunk, index) => [String(index), chunk]);
  return StandardMerkleTree.of(leaves, ['string', 'string']).root;
}
