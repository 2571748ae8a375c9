import { formatEther, parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import { parseContent } from '../../../../functions/domain/attestation/content.ts';
import { contentDigest } from '../../../../functions/domain/attestation/content-cid.ts';
import { listAttestations } from '../../../../functions/domain/attestation/list-attestations.ts';
import { LimitReachedError } from '../../../../functions/domain/errors.ts';
import { parseUsage, usageRecord } from '../../../../functions/domain/organization/daily-usage.ts';
import { feeUsageRecord } from '../../../../functions/domain/organization/fee-usage.ts';
import type { Records } from '../../../../functions/domain/records.ts';
import { createAttestation } from '../../../../functions/domain/requests/create-attestation.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import { failAttestation } from '../../../../functions/domain/steps/fail.ts';
import { interrupt } from '../../../fakes/ports/port-overrides.ts';
import { commitOne, confirmOne, mineAndTick, selfAttest, withRecords } from '../../../fakes/world/steps.ts';
import { alice, bob, chainId, makeWorld, type World } from '../../../fakes/world/world.ts';

/** Makes a world with these limits of an organization; all other limits are higher than any test needs. */
const worldWithLimits = (limits: { attestationsPerDay?: number; inFlight?: number }) =>
  makeWorld({ limits: { attestationsPerDay: 100, linksPerDay: 100, inFlight: 100, ...limits } });

const countedOn = (world: World, at: string, { organizationId } = alice) =>
  world.records.peek(usageRecord(organizationId, at))?.accepted;

const counted = (world: World) => countedOn(world, world.clock.now().toISOString());

async function refusal(creation: Promise<unknown>): Promise<LimitReachedError> {
  const error = await creation.catch((caught: unknown) => caught);
  if (error instanceof LimitReachedError) return error;
  throw new Error('was not refused', { cause: error });
}

describe('daily attestation limits', () => {
  test('apply to each organization until the UTC day ends', async () => {
    const world = worldWithLimits({ attestationsPerDay: 2 });
    world.clock.moveTo(new Date('2026-01-01T23:59:30.500Z'));
    await world.create(alice, '1');
    await world.create(alice, '2');
    expect((await refusal(world.create(alice, '3'))).retryAfterSeconds).toBe(30);
    expect((await world.create(bob, '3')).accepted).toBe(true);
    world.clock.moveTo(new Date('2026-01-02T00:00:00.000Z'));
    expect((await world.create(alice, '3')).accepted).toBe(true);
    expect(countedOn(world, '2026-01-01T12:00:00.000Z')).toBe(2);
    expect(countedOn(world, '2026-01-02T12:00:00.000Z')).toBe(1);
  });

  test('count only newly accepted content, and never refuse existing or registered content', async () => {
    const world = worldWithLimits({ attestationsPerDay: 2 });
    const attest = (text: string) => {
      world.chain.attest(alice.authorityAddress, contentDigest(parseContent(text)));
      world.mine(3);
    };
    const { attestation } = await world.create(alice, 'again');
    await world.create(alice, 'again');
    attest('on-chain');
    expect((await world.create(alice, 'on-chain')).attestation.status).toBe('confirmed');
    expect(counted(world)).toBe(1);
    await failAttestation(world.services, attestation, 'some reason');
    await world.create(alice, 'again');
    expect(counted(world)).toBe(2);
    await refusal(world.create(alice, 'new'));
    expect((await world.create(alice, 'again')).accepted).toBe(false);
    attest('new');
    expect((await world.create(alice, 'new')).attestation.status).toBe('confirmed');
  });

  test('use the organization’s own limit if it has one', async () => {
    const world = worldWithLimits({ attestationsPerDay: 1 });
    const caller = { ...alice, limits: { attestationsPerDay: 2 } };
    await world.create(caller, '1');
    await world.create(caller, '2');
    await refusal(world.create(caller, '3'));
  });

  test('are checked after the delegation', async () => {
    const world = worldWithLimits({ attestationsPerDay: 1 });
    await world.create(alice, '1');
    world.chain.revokeDelegation(alice.authorityAddress);
    await expect(world.create(alice, '2')).rejects.toThrow('no active delegation');
  });

  test('do not refuse an attestation that cannot be counted', async () => {
    const world = worldWithLimits({});
    const services = withRecords(world, { update: () => Promise.reject(new Error('throttled')) });
    const { accepted } = await createAttestation(services, alice, { content: parseContent('text') });
    expect(accepted).toBe(true);
    expect(world.log.messages('error')).toContain('daily usage not counted');
  });

  test('keep their counts for 40 days, outside the list of attestations', async () => {
    const world = worldWithLimits({});
    const { attestation } = await world.create(alice, 'text');
    const { expiresAt } = world.records.peek(usageRecord(alice.organizationId, attestation.createdAt)) ?? {};
    expect(expiresAt).toBe(Math.floor(Date.parse(attestation.createdAt) / 1000) + 40 * 86_400);
    const { attestations } = await listAttestations(world.records, alice.organizationId, { limit: 10 });
    expect(attestations).toEqual([attestation]);
  });
});

describe('limits of attestations in flight', () => {
  const inFlight = (world: World) => world.records.inFlight(alice.organizationId, 100);

  test('apply to each organization until one of its attestations ends', async () => {
    const world = worldWithLimits({ inFlight: 2 });
    const { attestation } = await world.create(alice, '1');
    await world.create(alice, '2');
    expect((await refusal(world.create(alice, '3'))).retryAfterSeconds).toBeUndefined();
    expect((await world.create(bob, '3')).accepted).toBe(true);
    expect((await world.create(alice, '2')).accepted).toBe(false);
    await failAttestation(world.services, attestation, 'some reason');
    expect((await world.create(alice, '3')).accepted).toBe(true);
  });

  test('count attestations until they are confirmed', async () => {
    const world = worldWithLimits({});
    expect((await commitOne(world, alice)).status).toBe('committed');
    expect(await inFlight(world)).toBe(1);
    expect((await confirmOne(world, bob)).status).toBe('confirmed');
    expect(await world.records.inFlight(bob.organizationId, 100)).toBe(0);
  });

  test('do not affect existing content when the count fails', async () => {
    const world = worldWithLimits({});
    const { attestation } = await world.create(alice, 'text');
    const services = withRecords(world, { inFlight: () => Promise.reject(new Error('throttled')) });
    const create = (text: string) => createAttestation(services, alice, { content: parseContent(text) });
    expect((await create('text')).attestation.id).toBe(attestation.id);
    await expect(create('another')).rejects.toThrow('throttled');
  });
});

test('a post is not refused when a concurrent post of the same content reaches the limit', async () => {
  const world = worldWithLimits({ inFlight: 1 });
  const records = interrupt<Records>(world.records, 'inFlight', () => world.create(alice, 'same'));
  const request = { content: parseContent('same') };
  const { accepted } = await createAttestation({ ...world.services, records }, alice, request);
  expect(accepted).toBe(false);
  await expect(world.create(alice, 'other')).rejects.toThrow(LimitReachedError);
});

const limits = { attestationsPerDay: 100, linksPerDay: 2, inFlight: 100 };

/** Makes a parent and children of alice, all confirmed. */
async function makeFamily() {
  const world = makeWorld({ limits });
  const rows = [];
  for (const text of ['parent', '1', '2', '3']) rows.push(await selfAttest(world, alice, text));
  const [parent, ...children] = rows;
  if (!parent) throw new Error('no parent');
  const link = (child: number, own: object = {}) =>
    linkChild(world.services, { ...parent, ...own }, children[child]?.id ?? '');
  return { world, parent, link };
}

const today = ({ clock }: World) => clock.now().toISOString();

const usage = (world: World) =>
  parseUsage(world.records.peek(usageRecord(alice.organizationId, today(world))));

describe('daily link limits', () => {
  test('apply until the UTC day ends', async () => {
    const { world, link } = await makeFamily();
    world.clock.moveTo(new Date('2026-01-02T23:59:30.500Z'));
    await link(0);
    await link(1);
    expect((await refusal(link(2))).retryAfterSeconds).toBe(30);
    expect(usage(world)).toEqual({ accepted: 0, links: 2 });
    world.clock.moveTo(new Date('2026-01-03T00:00:00.000Z'));
    expect((await link(2)).queued).toBe(true);
    expect(usage(world).links).toBe(1);
  });

  test('do not apply to a repeated request for the current link, queued or mined', async () => {
    const { world, link } = await makeFamily();
    await link(0);
    await link(0);
    expect(usage(world).links).toBe(1);
    await link(1);
    await refusal(link(0));
    expect(await link(1)).toMatchObject({ queued: true });
    await mineAndTick(world, 4);
    expect(await link(1)).toMatchObject({ queued: false });
    expect(usage(world).links).toBe(2);
  });

  test('are checked last, and a refused link changes nothing', async () => {
    const { world, parent, link } = await makeFamily();
    await link(0);
    await link(1);
    const before = await world.row(parent);
    await expect(linkChild(world.services, parent, parent.id)).rejects.toThrow('must differ');
    await expect(linkChild(world.services, parent, alice.organizationId)).rejects.toThrow('not found');
    await refusal(link(2));
    expect(await world.row(parent)).toEqual(before);
  });
});

/** Records that an organization paid this many wei today. */
async function pay(world: World, wei: bigint, { organizationId } = alice): Promise<void> {
  const key = feeUsageRecord(organizationId, chainId, today(world));
  await world.records.update({ key, put: { gwei: Number(wei / 1_000_000_000n) } });
}

describe('the daily fee budget', () => {
  const budget = parseEther('0.5');
  const worldWithBudget = () => makeWorld({ organizationDailyFeeBudget: 0.5 });
  const warning = 'organization near its fee budget';

  test('refuses attestations and links once used up, until the UTC day ends, per organization', async () => {
    const world = worldWithBudget();
    const [parent, child] = [await selfAttest(world, alice, '1'), await selfAttest(world, alice, '2')];
    await pay(world, budget - 1_000_000_000n);
    expect((await world.create(alice, '3')).accepted).toBe(true);
    world.clock.moveTo(new Date('2026-01-02T23:59:30.500Z'));
    await pay(world, budget);
    expect((await refusal(world.create(alice, '4'))).retryAfterSeconds).toBe(30);
    expect((await refusal(linkChild(world.services, parent, child.id))).retryAfterSeconds).toBe(30);
    expect((await world.create(bob, '4')).accepted).toBe(true);
    expect((await world.create(alice, '3')).accepted).toBe(false);
    world.clock.moveTo(new Date('2026-01-03T00:00:00.000Z'));
    expect((await world.create(alice, '4')).accepted).toBe(true);
    expect((await linkChild(world.services, parent, child.id)).queued).toBe(true);
  });

  test('causes a warning with every request when at least 80% is used', async () => {
    const world = worldWithBudget();
    await pay(world, (budget * 79n) / 100n);
    await world.create(alice, '1');
    expect(world.log.messages('warn')).not.toContain(warning);
    await pay(world, (budget * 8n) / 10n);
    await world.create(alice, '2');
    await world.create(bob, '2');
    expect(world.log.messages('warn').filter((message) => message === warning)).toHaveLength(1);
  });

  test('is the organization’s own if it has one for the chain', async () => {
    const world = worldWithBudget();
    await pay(world, budget);
    await refusal(world.create({ ...alice, limits: { feeBudgets: { 1: 9 } } }, '1'));
    expect((await world.create({ ...alice, limits: { feeBudgets: { [chainId]: 0.6 } } }, '1')).accepted).toBe(
      true,
    );
  });

  test('is by default the cost of 30,000,000 gas at the fee cap', async () => {
    const world = makeWorld({ maxFeePerGasGwei: 0.5 });
    const expected = 30_000_000n * 500_000_000n;
    expect(formatEther(expected)).toBe('0.015');
    await pay(world, expected - 1_000_000_000n);
    expect((await world.create(alice, '1')).accepted).toBe(true);
    await pay(world, expected);
    await refusal(world.create(alice, '2'));
  });
});
