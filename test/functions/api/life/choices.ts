import type { Arbitrary } from 'fast-check';
import fc from 'fast-check';
import { type Asking, publisherAt, workingKey } from './answers.ts';
import type { Extras } from './foretell-creation.ts';
import type { LifeModel, Publisher, Row } from './life-model.ts';

/** Mostly the one that gets far enough for all that can happen to happen. */
export const who = fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, fc.constant(1));

export const text = fc.nat(6).map((number) => `article ${number}`);

export const extras: Arbitrary<Extras> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 8 },
  fc.constantFrom({ chainId: 31_337 }, { url: 'https://a.example/ä?b' }, { metadata: { a: [1] } }),
  fc.constant({ chainId: 5 }),
);

/** Who asks: the number of an organisation, and with which key; 'working' is one that is accepted, if it has one. */
export interface Asked {
  readonly number: number;
  readonly key: Asking['key'] | 'working';
}

const key: Arbitrary<Asked['key']> = fc.oneof(
  { arbitrary: fc.constant('working' as const), weight: 12 },
  { arbitrary: fc.nat(3), weight: 2 },
  fc.constantFrom('none', 'mistyped', 'unknown'),
);

export const asked: Arbitrary<Asked> = fc.record({ number: who, key });

export function askingOf(model: LifeModel, { number, key: chosen }: Asked): Asking {
  const publisher = publisherAt(model, number);
  return { publisher, key: chosen === 'working' ? workingKey(publisher) : chosen };
}

/** An id as somebody may write it: of a row, or of nothing. */
export type Target =
  | {
      readonly of: 'own' | 'confirmed' | 'committed' | 'failed' | 'other';
      readonly row: number;
      readonly capitals: boolean;
    }
  | { readonly of: 'nobody'; readonly id: string };

const unknownId = '018f0000-0000-7000-8000-0000000000ff';

const ownRow = fc.record({
  of: fc.constantFrom('own', 'confirmed', 'confirmed', 'committed', 'failed'),
  row: fc.nat(9),
  capitals: fc.boolean(),
});
const otherRow = fc.record({ of: fc.constant('other' as const), row: fc.nat(9), capitals: fc.boolean() });
const nobody = fc.record({
  of: fc.constant('nobody' as const),
  id: fc.constantFrom(unknownId, `${unknownId}0`, unknownId.replaceAll('-', ''), 'x', '', '../x', '%00'),
});

export const target: Arbitrary<Target> = fc.oneof({ arbitrary: ownRow, weight: 8 }, otherRow, nobody);

const at = (rows: readonly Row[], number: number): Row | undefined => rows[number % Math.max(1, rows.length)];

const having = ({ rows }: Publisher, ...statuses: string[]): Row[] =>
  rows.filter(({ body }) => statuses.includes(String(body.status)));

/** One that is `pending` or `committed`, if there is any. */
export function rowUnderWay(publisher: Publisher, number: number): Row | undefined {
  return at(having(publisher, 'pending', 'committed'), number);
}

/** One that was linked, or was to be. */
export function linkedRow({ rows }: Publisher, number: number): Row | undefined {
  return at(
    rows.filter(({ body }) => body.childAttestationId !== null),
    number,
  );
}

export function idOf(model: LifeModel, publisher: Publisher, aim: Target): string {
  if (aim.of === 'nobody') return aim.id;
  const others = model.publishers.filter((other) => other !== publisher);
  const rows = {
    own: publisher.rows,
    confirmed: having(publisher, 'confirmed'),
    committed: having(publisher, 'committed'),
    failed: having(publisher, 'failed'),
    other: others.flatMap((other) => other.rows),
  };
  const id = String((at(rows[aim.of], aim.row) ?? at(publisher.rows, aim.row))?.body.id ?? unknownId);
  return aim.capitals ? id.toUpperCase() : id;
}
