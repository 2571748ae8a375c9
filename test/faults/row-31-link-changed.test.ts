import { expect, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { linkChild } from '../../functions/domain/requests/link-child.ts';
import { callsInside } from '../fakes/chain/contracts-model.ts';
import { alice } from '../fakes/world/world.ts';
import { laneOf, routes, type Served, serve } from './world/served.ts';
import { shortEstimates } from './world/short-estimates.ts';

/** Attestations of one organisation that are confirmed. */
async function confirmed(service: Served, count: number): Promise<Attestation[]> {
  const rows: Attestation[] = [];
  for (let number = 0; number < count; number++) {
    const { attestation } = await service.post(alice, `article ${number}`);
    rows.push(attestation);
  }
  await service.endsByRule();
  return rows;
}

/** Links the parent to the child at that number, counted around. */
function link({ services }: Served, parent: Attestation, children: readonly Attestation[], at: number) {
  const child = children[at % children.length];
  if (!child) throw new Error('no children');
  return linkChild(services, parent, child.id);
}

test('row 31: links changed at every block while their batches revert and split end as last accepted', async () => {
  const service = await serve({ batches: false, forwarder: true, maxInFlight: 1, confirmations: 2 });
  const { chain, providers, row } = service.world;
  const [first, second, ...parents] = await confirmed(service, 8);
  const children = [first, second].filter((child) => child !== undefined);
  const before = (await chain.receipts()).length;
  providers[0]?.set(shortEstimates(1));
  const linkIntents = 25;
  // Every other parent changes its mind again and again; the rest is in batches with them, and stays.
  const linkIntent = async (turn: number) => {
    for (const [position, parent] of parents.entries())
      if (turn === 0 || position % 2) await link(service, parent, children, turn);
  };
  await linkIntent(0);
  for (let turn = 1; turn <= linkIntents; turn++) service.queue.after(2 * turn, () => linkIntent(turn));
  await service.pass(2 * linkIntents + 1);
  await service.endsByRule();

  for (const [position, parent] of parents.entries()) {
    const { childAttestationId } = await row(parent);
    expect(childAttestationId).toBe(children[position % 2]?.id);
  }
  const links = (await chain.receipts()).slice(before);
  const sizesOf = (succeeded: boolean) =>
    links.filter((one) => one.succeeded === succeeded).map(({ data }) => callsInside(data).length);
  expect(Math.max(...sizesOf(false))).toBe(parents.length);
  expect(Math.max(...sizesOf(true))).toBe(1);
});

/** How far the link before is when the link intent changes. */
const moments = ['queued', 'bound', 'mined'] as const;

test.each(routes.flatMap((route) => moments.map((moment) => ({ moment, route }))))(
  'row 31: a link changed while the one before is $moment ends as last accepted: $route',
  async ({ moment, route }) => {
    const service = await serve(route);
    const { chain, row } = service.world;
    const [parent, ...children] = await confirmed(service, 3);
    if (!parent) throw new Error('no parent');
    const before = (await chain.receipts()).length;
    await link(service, parent, children, 0);
    if (moment !== 'queued')
      await service.until(async () => (await laneOf(service.world)).nextNonce > before);
    if (moment === 'mined') await service.until(async () => (await row(parent)).linkPhase === 'mined');
    await link(service, parent, children, 1);
    await service.endsByRule();
    const links = (await chain.receipts()).slice(before);
    expect(links).toHaveLength(moment === 'queued' ? 1 : 2);
    expect(await row(parent)).toMatchObject({
      childAttestationId: children[1]?.id,
      childLinkTxHash: links.at(-1)?.hash,
    });
  },
);
