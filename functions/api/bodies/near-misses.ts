import * as z from 'zod';

/** Names that people write where these are meant. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  content: ['text', 'body', 'cid'],
  chainId: ['chain', 'network'],
  url: ['uri', 'link'],
  metadata: ['meta'],
  childAttestationId: ['child', 'childid'],
  passage: ['quote', 'text'],
  limit: ['count', 'pagesize', 'perpage'],
  cursor: ['page', 'offset', 'after', 'before', 'next'],
  contentCid: ['cid', 'content', 'hash'],
  status: ['state'],
  createdAfter: ['since', 'from'],
  createdBefore: ['until', 'to'],
};

/** Longest name that is taken for a misspelt one: it is repeated in the answer. */
const longestName = 64;

/** Shortest name of which one wrong letter is a slip: with fewer letters it may well be another name. */
const shortestSlip = 6;

/** Folds the usual misspellings of a name: in case, with `_` or with `-`. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

/** Whether the names differ by one letter: one more, one less, another one, or two in the other order. */
function isOneSlip(name: string, meant: string): boolean {
  let at = 0;
  while (at < name.length && name[at] === meant[at]) at += 1;
  const endsAlike = (inName: number, inMeant: number) =>
    name.slice(at + inName) === meant.slice(at + inMeant);
  const areSwapped = name[at] === meant[at + 1] && name[at + 1] === meant[at];
  return endsAlike(1, 1) || endsAlike(1, 0) || endsAlike(0, 1) || (areSwapped && endsAlike(2, 2));
}

/** The known name that this one is meant for, if any. Where that one was sent too, only its own spellings are. */
function meantBy(name: string, known: readonly string[], sent: object): string | undefined {
  if (known.includes(name) || name.length > longestName) return undefined;
  const word = folded(name);
  return known.find((meant) => {
    if (word === folded(meant)) return true;
    if (Object.hasOwn(sent, meant)) return false;
    const isSlip = meant.length >= shortestSlip && isOneSlip(word, folded(meant));
    return isSlip || otherNames[meant]?.includes(word);
  });
}

/**
 * Makes a schema that refuses names likely meant for one of its fields: a slip in a name must not publish on the default chain.
 * Other unknown names pass.
 *
 * @param refused names that would be misunderstood if they passed, and what is said of each
 */
export function refusingNearMisses<Shape extends z.ZodRawShape>(
  shape: Shape,
  refused: Readonly<Record<string, string>> = {},
) {
  const known = Object.keys(shape);
  const words = new Map(Object.entries(refused).map(([name, message]) => [folded(name), message]));
  return z
    .looseObject({})
    .transform((sent, context) => {
      for (const name of Object.keys(sent)) {
        const meant = meantBy(name, known, sent);
        const message = meant === undefined ? words.get(folded(name)) : `did you mean ${meant}?`;
        if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
      }
      return sent;
    })
    .pipe(z.object(shape));
}
