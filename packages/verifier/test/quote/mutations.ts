import type { QuoteProof } from '../../src/verifier.ts';

type Mutable<Value> = Value extends object ? { -readonly [Key in keyof Value]: Mutable<Value[Key]> } : Value;
type MutableProof = Mutable<QuoteProof>;
type Leaf = MutableProof['proof'][number];

/** What makes a proof false: each takes a copy of a sound one, changes it at a place, and says whether it could. */
type Mutation = (proof: MutableProof, place: number) => boolean;

const at = <Item>(items: readonly Item[], place: number): Item => {
  const item = items[place % items.length];
  if (item === undefined) throw new Error('the list is empty');
  return item;
};

/** Another character of the same length, so that what differs is the text alone. */
const swapped = (text: string, place: number): string => {
  const unit = place % text.length;
  const other = text[unit] === 'x' ? 'y' : 'x';
  return `${text.slice(0, unit)}${other}${text.slice(unit + 1)}`;
};

function flipDigit(hash: string, place: number): `0x${string}` {
  const digit = 2 + (place % 64);
  const flipped = (Number.parseInt(hash[digit] ?? '', 16) ^ (1 + (place % 15))).toString(16);
  return `0x${hash.slice(2, digit)}${flipped}${hash.slice(digit + 1)}`;
}

function onLeaf(change: (leaf: Leaf, place: number) => boolean): Mutation {
  return ({ proof }, place) => change(at(proof, place), Math.floor(place / proof.length));
}

const always = (change: (proof: MutableProof, place: number) => void): Mutation => {
  return (proof, place) => {
    change(proof, place);
    return true;
  };
};

const withSiblings = (change: (leaf: Leaf, place: number) => void): Mutation =>
  onLeaf((leaf, place) => {
    if (leaf.proof.length === 0) return false;
    change(leaf, place);
    return true;
  });

const withLeaves =
  (change: (proof: MutableProof, place: number) => void): Mutation =>
  (proof, place) => {
    if (proof.proof.length < 2) return false;
    change(proof, place);
    return true;
  };

/** Every one makes a proof that must not pass. */
export const mutations: Readonly<Record<string, Mutation>> = {
  'a quoted character': always(({ segments }, place) => {
    const segment = at(segments, place);
    segment.text = swapped(segment.text, place);
  }),
  'a character of a chunk': onLeaf(({ value }, place) => {
    value[1] = swapped(value[1], place);
    return true;
  }),
  'a character of a chunk and of the quote': always(({ segments, proof }) => {
    const forged = { text: 'x'.repeat(3), chunk: 0, offset: 0 };
    segments.splice(0, segments.length, forged);
    proof.splice(1);
    for (const leaf of proof) leaf.value = ['0', `xxx${leaf.value[1].slice(3)}`];
  }),
  'a digit of a hash': withSiblings((leaf, place) => {
    const sibling = place % leaf.proof.length;
    leaf.proof[sibling] = flipDigit(leaf.proof[sibling] ?? '', place);
  }),
  'a hash left out': withSiblings(({ proof }, place) => proof.splice(place % proof.length, 1)),
  'a hash repeated': withSiblings(({ proof }, place) =>
    proof.splice(place % proof.length, 0, at(proof, place)),
  ),
  'the index of a leaf': onLeaf(({ value }, place) => {
    value[0] = String(Number(value[0]) + 1 + (place % 3));
    return true;
  }),
  'the form of an index': onLeaf(({ value }) => {
    value[0] = `0${value[0]}`;
    return true;
  }),
  'a leaf left out': always(({ proof }, place) => proof.splice(place % proof.length, 1)),
  'a leaf repeated': always(({ proof }, place) => proof.splice(place % proof.length, 0, at(proof, place))),
  'leaves reversed': withLeaves(({ proof }) => proof.reverse()),
  'a leaf from elsewhere': always(({ proof }) => {
    const last = at(proof, proof.length - 1);
    proof.push({ value: [String(Number(last.value[0]) + 1), 'of another article'], proof: last.proof });
  }),
  'the chunks of two leaves exchanged': withLeaves(({ proof }) => {
    const [first, second] = [at(proof, 0).value, at(proof, 1).value];
    [first[1], second[1]] = [second[1], first[1]];
    // Equal chunks are told apart by their indices, and those stay.
    if (first[1] === second[1]) first[1] = swapped(first[1], 0);
  }),
  'the place of a segment': always(({ segments }, place) => {
    at(segments, place).chunk += 1000;
  }),
  'no segment': always(({ segments }) => segments.splice(0)),
  'an empty segment': always(({ segments }, place) => {
    at(segments, place).text = '';
  }),
  'a segment twice': always(({ segments }, place) => segments.push(at(segments, place))),
  'half a character': always(({ segments }, place) => {
    at(segments, place).text += '\ud83d';
  }),
};
