import * as z from 'zod';

/** For each field, names that are often sent instead of its own. */
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

/** Maximum length of a misspelled name, which the answer repeats. */
const maxNameLength = 64;

/** Minimum length of a name that may have a typo: a shorter one may be another name. */
const minTypoLength = 6;

/** Normalizes case, `_` and `-` in a name. */
const normalize = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

/** Whether the names differ by one letter: added, missing, changed or swapped. */
function isOneTypo(name: string, meant: string): boolean {
  let start = 0;
  while (start < name.length && name[start] === meant[start]) start += 1;
  const haveSameEnd = (inName: number, inMeant: number) =>
    name.slice(start + inName) === meant.slice(start + inMeant);
  const areSwapped = name[start] === meant[start + 1] && name[start + 1] === meant[start];
  return haveSameEnd(1, 1) || haveSameEnd(1, 0) || haveSameEnd(0, 1) || (areSwapped && haveSameEnd(2, 2));
}

/** Finds the known name that the sender meant. If the request has it too, only case, `_` and `-` may differ. */
function findMeantName(name: string, known: readonly string[], sent: object): string | undefined {
  if (known.includes(name) || name.length > maxNameLength) return undefined;
  const word = normalize(name);
  return known.find((meant) => {
    if (word === normalize(meant)) return true;
    if (Object.hasOwn(sent, meant)) return false;
    const isTypo = meant.length >= minTypoLength && isOneTypo(word, normalize(meant));
    return isTypo || otherNames[meant]?.includes(word);
  });
}

/** Rejects names that are likely typos of a field, so that a typo does not publish on the default chain. */
export function rejectNearMisses<Shape extends z.ZodRawShape>(
  shape: Shape,
  refused: Readonly<Record<string, string>> = {},
) {
  const known = Object.keys(shape);
  const messages = new Map(Object.entries(refused).map(([name, message]) => [normalize(name), message]));
  return z
    .looseObject({})
    .transform((sent, context) => {
      for (const name of Object.keys(sent)) {
        const meant = findMeantName(name, known, sent);
        const message = meant === undefined ? messages.get(normalize(name)) : `did you mean ${meant}?`;
        if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
      }
      return sent;
    })
    .pipe(z.object(shape));
}
