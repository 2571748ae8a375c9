import type { Attestation, ImprimaturClient } from 'imprimatur-client';
import type { AuthorityEvent, EventPosition } from 'imprimatur-verifier';
import { expect, test } from 'vitest';
import { hash } from '../../../../contracts/test/chain/attest.ts';
import { attestation, childId, confirmed } from '../../../client/test/fake-api.ts';
import { EventClassifier } from '../../src/watching/event-classifier.ts';
import { ReportedEvents } from '../../src/watching/reported-events.ts';
import { author, chainId, stranger } from './fake-node.ts';

const [first, second] = ['bafkfirst', 'bafksecond'];
/** Attestations in the service's list: of the first content and of the second. */
const row = (fields: Partial<Attestation> = {}) =>
  attestation({ authorityAddress: author, registryAddress: stranger, contentCid: first, ...fields });
const child = row({ ...confirmed, id: childId, contentCid: second });
const linked = (childLinkTxHash: string | null) =>
  row({ ...confirmed, childAttestationId: childId, childLinkTxHash });

const event = (kind: AuthorityEvent['kind'], fields: Partial<AuthorityEvent> = {}): AuthorityEvent => ({
  ...{ kind, registryAddress: stranger, transaction: hash(10), logIndex: 1, contentCid: first },
  ...{ block: { number: 10, hash: hash(10), timestamp: 1_000 }, ...fields },
});
const link = event('link', { childCid: second, logIndex: 2 });
const attested = event('attestation');

/** The state of a watch. The service lists these attestations, and the chain has transactions in these blocks. */
function newWatch(rows: readonly Attestation[], blocks: Readonly<Record<string, number>> = {}) {
  const service = { rows, isDown: false, requests: [] as (string | undefined)[] };
  async function* listAll({ contentCid }: { contentCid?: string }) {
    service.requests.push(contentCid);
    if (service.isDown) throw new Error('it is down');
    yield* service.rows.filter((row) => contentCid === undefined || row.contentCid === contentCid);
  }
  const positionOf = async (transaction: string): Promise<EventPosition | undefined> => {
    const blockNumber = blocks[transaction];
    return blockNumber === undefined ? undefined : { blockNumber, logIndex: 0 };
  };
  const classifier = new EventClassifier({
    client: { listAll } as unknown as ImprimaturClient,
    target: { chainId, authority: author, registries: undefined },
    ...{ reader: { positionOf }, signal: new AbortController().signal },
  });
  const reported: string[] = [];
  const events = new ReportedEvents(classifier, undefined, ({ event: { kind }, state }, actor) =>
    reported.push(`${kind} ${state} ${actor}`),
  );
  const report = (one: AuthorityEvent, state: 'final' | 'notFinal' | 'undone' = 'final') =>
    events.report([{ event: one, state }]);
  return { service, classifier, events, reported, report };
}

test.each<[string, AuthorityEvent, Attestation[], string | undefined]>([
  ['its attestation', attested, [row({ revealTxHash: hash(10).toUpperCase().replace('X', 'x') })], undefined],
  ['its link', link, [linked(hash(10)), child], undefined],
  ['an attestation in a transaction of another', attested, [row({ revealTxHash: hash(11) })], 'other'],
  ['an attestation that it only found', attested, [row({ status: 'confirmed' })], 'other'],
  [
    'one of another authority',
    attested,
    [row({ revealTxHash: hash(10), authorityAddress: stranger })],
    'other',
  ],
  ['one on another registry', attested, [row({ revealTxHash: hash(10), registryAddress: author })], 'other'],
  ['a delegation, which the service never sends', event('delegation'), [], 'other'],
  ['a link that the service has replaced', link, [linked(hash(12)), child], 'unknown'],
  ['a link after that of the service', link, [linked(hash(9)), child], 'other'],
  ['a link, while no provider has that of the service', link, [linked(hash(99)), child], 'unknown'],
  ['a link to nothing', event('link', { childCid: null }), [linked(hash(12)), child], 'other'],
])('the actor is determined, from the list of the service, for %s', async (_, one, rows, actor) => {
  const { reported, events, report } = newWatch(rows, { [hash(12)]: 12, [hash(9)]: 9 });
  await report(one);
  expect(reported).toEqual(actor === undefined ? [] : [`${one.kind} final ${actor}`]);
  expect(events.undecided).toEqual([]);
});

test.each([
  ['attests', attested, [row({ status: 'committed' })], [row({ status: 'confirmed' })]],
  ['links', link, [linked(null), child], [linked(hash(9)), child]],
] as const)(
  'while the service %s the same content, an event is reported only when the service finishes in another way, or after an hour',
  async (_, one, before, after) => {
    for (const [rows, now] of [
      [after, 1_000],
      [before, 4_601],
    ] as const) {
      const { reported, events, service, report } = newWatch(before, { [hash(9)]: 9 });
      await report(one);
      await events.decide(4_600, 10);
      expect([reported, events.undecided]).toEqual([[], [one]]);
      service.rows = rows;
      await events.decide(now, 9);
      expect([reported, events.undecided]).toEqual([[`${one.kind} notFinal other`], []]);
    }
  },
);

test("a link to different content is not treated as the service's own", async () => {
  const { reported, report } = newWatch([linked(null), child, row({ id: 'third', contentCid: 'bafkthird' })]);
  await report(link);
  await report(event('link', { childCid: 'bafkthird', logIndex: 3 }));
  expect(reported).toEqual(['link final unknown']);
});

test('while the service is down, events that it never causes are reported, and the others as unknown after an hour', async () => {
  const { reported, events, service, classifier, report } = newWatch([row({ revealTxHash: hash(10) })]);
  service.isDown = true;
  for (const one of [attested, event('delegation', { logIndex: 3 }), link]) await report(one);
  expect([reported, service.requests.length]).toEqual([['delegation final other'], 1]);
  expect(() => classifier.throwFailure()).toThrow('it is down');
  await events.decide(4_601, 10);
  expect(reported.slice(1)).toEqual(['attestation final unknown', 'link final unknown']);
  service.isDown = false;
  classifier.forgetFailure();
  await report(attested);
  expect([reported.length, events.undecided]).toEqual([3, []]);
});

test('a removed event is reported only if it was reported before', async () => {
  const ownRow = row({ revealTxHash: hash(10) });
  const unreported = newWatch([ownRow]);
  await unreported.report(attested, 'notFinal');
  const [key] = unreported.events.keepUnreported([attested]);
  expect(key).toBe(`${hash(10)}/1`);
  unreported.service.rows = [];
  await unreported.report(attested, 'undone');
  expect(unreported.reported).toEqual([]);
  expect(unreported.events.keepUnreported([])).toEqual([]);

  const undecided = newWatch([row()]);
  for (const state of ['notFinal', 'undone'] as const) await undecided.report(attested, state);
  expect([undecided.reported, undecided.events.undecided]).toEqual([[], []]);

  const others = newWatch([]);
  await others.report(attested, 'notFinal');
  others.service.rows = [ownRow];
  await others.report(attested, 'undone');
  expect(others.reported).toEqual(['attestation notFinal other', 'attestation undone unknown']);
});

test('undecided events are reported as unknown by a watch without the service', async () => {
  const kept = { undecided: [attested], unreported: [], registries: undefined };
  const reported: unknown[] = [];
  const cursor = { block: attested.block, provisional: [] };
  const events = new ReportedEvents(undefined, { ...kept, cursor }, (_, actor) => reported.push(actor));
  await events.decide(1_000, 10);
  expect(reported).toEqual(['unknown']);
});

test('few contents are looked up one by one; for many, the whole list is read', async () => {
  const few = newWatch([]);
  await few.report(link);
  expect(few.service.requests).toEqual([first, second]);
  const many = newWatch([]);
  const contents = Array.from({ length: 21 }, (_, at) => event('attestation', { contentCid: `bafk${at}` }));
  await many.events.report(contents.map((one) => ({ event: one, state: 'final' })));
  expect(many.service.requests).toEqual([undefined]);
  expect(many.reported).toHaveLength(21);
});
