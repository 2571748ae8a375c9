import { formatEther, parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import { LimitReachedError } from '../../../../functions/domain/errors.ts';
import { parseUsage, usageRecord } from '../../../../functions/domain/organization/daily-usage.ts';
import { feeUsageRecord } from '../../../../functions/domain/organization/fee-usage.ts';
import type { Records } from '../../../../functions/domain/records.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import { overriding } from '../../../fakes/ports/overriding.ts';
import { attested, mineAndTick } from '../../../fakes/world/steps.ts';
import { alice, bob, chainId, makeWorld, type World } from '../../../fakes/world/world.ts';

const limits = { attestationsPerDay: 100, linksPerDay: 2, inFlight: 100 };

/** A parent and children of alice, all confirmed, on a day whose last minute has begun. */
async function family() {
  const world = makeWorld({ limits });
  const rows = [];
  for (const text of ['parent', '1', '2', '3']) rows.push(await attested(world, alice, text));
  const [parent, ...children] = rows;
  if (!parent) throw new Error('no parent');
  const link = (child: number, own: object = {}) =>
    linkChild(world.services, { ...parent, ...own }, children[child]?.id ?? '');
  return { world, parent, link };
}

async function refusal(request: Promise<unknown>): Promise<LimitReachedError> {
  const error = await request.catch((caught: unknown) => caught);
  if (error instanceof LimitReachedError) return error;
  throw new Error('was not refused', { cause: error });
}

const today = ({ clock }: World) => clock.now().toISOString();

const counted = (world: World) =>
  parseUsage(world.records.peek(usageRecord(alice.organizationId, today(world))));

describe('links a day', () => {
  test('are refused above the limit until the UTC day ends', async () => {
    const { world, link } = await family();
    world.clock.moveTo(new Date('2026-01-02T23:59:30.500Z'));
    await link(0);
    await link(1);
    expect((await refusal(link(2))).retryAfterSeconds).toBe(30);
    expect(counted(world)).toEqual({ accepted: 0, links: 2 });
    world.clock.moveTo(new Date('2026-01-03T00:00:00.000Z'));
    expect((await link(2)).queued).toBe(true);
    expect(counted(world).links).toBe(1);
  });

  test('are not counted for the link that stands, queued or mined, and it is never refused', async () => {
    const { world, link } = await family();
    await link(0);
    await link(0);
    expect(counted(world).links).toBe(1);
    await link(1);
    await refusal(link(0));
    expect(await link(1)).toMatchObject({ queued: true });
    await mineAndTick(world, 4);
    expect(await link(1)).toMatchObject({ queued: false });
    expect(counted(world).links).toBe(2);
  });

  test('are refused after all else, and a refused one changes nothing', async () => {
    const { world, parent, link } = await family();
    await link(0);
    await link(1);
    const before = await world.row(parent);
    await expect(linkChild(world.services, parent, parent.id)).rejects.toThrow('must differ');
    await expect(linkChild(world.services, parent, alice.organizationId)).rejects.toThrow('not found');
    await refusal(link(2));
    expect(await world.row(parent)).toEqual(before);
  });

  test('are the ones of the organisation where it has a limit of its own', async () => {
    const { link } = await family();
    const own = { limits: { linksPerDay: 3 } };
    for (const child of [0, 1, 2]) expect((await link(child, own)).queued).toBe(true);
    await refusal(link(0, own));
  });

  test('accept a link although it cannot be counted', async () => {
    const { world, parent } = await family();
    const child = await attested(world, alice, 'another');
    const records = overriding<Records>(world.records, {
      update: (change) =>
        change.key.sk.startsWith('usage#')
          ? Promise.reject(new Error('throttled'))
          : world.records.update(change),
    });
    const { queued } = await linkChild({ ...world.services, records }, parent, child.id);
    expect(queued).toBe(true);
    expect(world.log.messages('error')).toContain('not counted for its day');
  });
});

/** Counts that much as paid today by an organisation, in wei. */
async function pay(world: World, wei: bigint, { organizationId } = alice): Promise<void> {
  const key = feeUsageRecord(organizationId, chainId, today(world));
  await world.records.update({ key, put: { gwei: Number(wei / 1_000_000_000n) } });
}

describe('the fee budget of a day', () => {
  const budget = parseEther('0.5');
  const budgeted = () => makeWorld({ organizationDailyFeeBudget: 0.5 });
  const warning = 'organisation near its fee budget';

  test('refuses attestations and links once it is used up, until the UTC day ends, by organisation', async () => {
    const world = budgeted();
    const [parent, child] = [await attested(world, alice, '1'), await attested(world, alice, '2')];
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

  test('is said to be near its end from four fifths on, with every request', async () => {
    const world = budgeted();
    await pay(world, (budget * 79n) / 100n);
    await world.create(alice, '1');
    expect(world.log.messages('warn')).not.toContain(warning);
    await pay(world, (budget * 8n) / 10n);
    await world.create(alice, '2');
    await world.create(bob, '2');
    expect(world.log.messages('warn').filter((message) => message === warning)).toHaveLength(1);
  });

  test('is the one of the organisation where it has one for the chain', async () => {
    const world = budgeted();
    await pay(world, budget);
    await refusal(world.create({ ...alice, limits: { feeBudgets: { 1: 9 } } }, '1'));
    expect((await world.create({ ...alice, limits: { feeBudgets: { [chainId]: 0.6 } } }, '1')).accepted).toBe(
      true,
    );
  });

  test('is by default what 30,000,000 gas cost at the fee cap', async () => {
    const world = makeWorld({ maxFeePerGasGwei: 0.5 });
    const expected = 30_000_000n * 500_000_000n;
    expect(formatEther(expected)).toBe('0.015');
    await pay(world, expected - 1_000_000_000n);
    expect((await world.create(alice, '1')).accepted).toBe(true);
    await pay(world, expected);
    await refusal(world.create(alice, '2'));
  });

  test('does not stand in the way of content that the registry holds', async () => {
    const world = budgeted();
    await pay(world, budget);
    expect((await attested(world, alice, 'on-chain')).status).toBe('confirmed');
  });
});
