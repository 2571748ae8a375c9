import * as z from 'zod';

/** Names that are often sent instead of these. */
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

/** Maximum length of a misspelt name, which the answer repeats. */
const longestName = 64;

/** Minimum length of a name with one wrong letter: a shorter one may be another name. */
const shortestSlip = 6;

/** Normalizes case, `_` and `-` in a name. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

/** Whether the names differ by one letter: added, missing, changed or swapped. */
function isOneSlip(name: string, meant: string): boolean {
  let at = 0;
  while (at < name.length && name[at] === meant[at]) at += 1;
  const endsAlike = (inName: number, inMeant: number) =>
    name.slice(at + inName) === meant.slice(at + inMeant);
  const areSwapped = name[at] === meant[at + 1] && name[at + 1] === meant[at];
  return endsAlike(1, 1) || endsAlike(1, 0) || endsAlike(0, 1) || (areSwapped && endsAlike(2, 2));
}

/** Returns the known name meant by this one. If that name was sent too, only its other spellings match. */
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

/** Rejects names likely meant for a field: a typing error must not publish on the default chain. Others pass. */
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
