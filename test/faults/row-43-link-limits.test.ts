import { expect, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { LimitReachedError } from '../../functions/domain/errors.ts';
import type { Caller } from '../../functions/domain/organization/api-keys.ts';
import { parseUsage, usageRecord } from '../../functions/domain/organization/daily-usage.ts';
import { feeUsageRecord, parseFeeUsage } from '../../functions/domain/organization/fee-usage.ts';
import { linkChild } from '../../functions/domain/requests/link-child.ts';
import type { AwsFaultKind } from '../fakes/aws/aws-faults.ts';
import type { RealWorld } from '../fakes/real/real-world.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { routes, type Served, serve } from './world/served.ts';

const linksPerDay = 3;

/** Attestations of alice's that are confirmed. */
async function confirmed(service: Served, count: number): Promise<Attestation[]> {
  const rows: Attestation[] = [];
  for (let n = 0; n < count; n++) rows.push((await service.post(alice, `article ${n}`)).attestation);
  await service.endsByRule();
  return rows;
}

/** Links a parent to one child after the other, again and again. @returns how many links were accepted */
async function linkMany({ services, world }: Served, rows: readonly Attestation[]): Promise<number> {
  const [parent, ...children] = rows;
  if (!parent) throw new Error('no parent');
  const { childSequence } = await world.row(parent);
  let refused = 0;
  for (let n = 0; n < 20; n++) {
    const key = { ...parent, limits: { linksPerDay } };
    await linkChild(services, key, children[n % children.length]?.id ?? '').catch((error: unknown) => {
      expect(error).toBeInstanceOf(LimitReachedError);
      refused++;
    });
  }
  expect(refused).toBeGreaterThan(0);
  return (await world.row(parent)).childSequence - childSequence;
}

test.each(routes)(
  'row 43: an organisation that links all the time sends no more links a day than it may: %j',
  async (route) => {
    const service = await serve(route);
    const { chain, clock, records } = service.world;
    const rows = await confirmed(service, 3);
    const before = (await chain.receipts()).length;
    expect(await linkMany(service, rows)).toBe(linksPerDay);
    await service.endsByRule();
    expect((await chain.receipts()).length - before).toBeLessThanOrEqual(linksPerDay);
    const at = clock.now().toISOString();
    expect(parseUsage(await records.get(usageRecord(alice.organizationId, at)))).toMatchObject({
      ...{ accepted: 3, links: linksPerDay },
    });
    clock.advance(86_400);
    expect(await linkMany(service, rows)).toBe(linksPerDay);
    await service.endsByRule();
  },
);

async function paidBy({ records, chain, clock }: RealWorld, { organizationId }: Caller): Promise<bigint> {
  const key = feeUsageRecord(organizationId, chain.settings.chainId, clock.now().toISOString());
  return parseFeeUsage(await records.get(key));
}

/** What both organisations paid is what the chain took, with at most a gwei more for each in each transaction. */
async function expectPaid(world: RealWorld): Promise<void> {
  const receipts = await world.chain.receipts();
  const taken = receipts.reduce((sum, { fee }) => sum + fee, 0n);
  const paid = (await paidBy(world, alice)) + (await paidBy(world, bob));
  expect(taken).toBeGreaterThan(0n);
  expect(Number(paid - taken)).toBeGreaterThanOrEqual(0);
  expect(Number(paid - taken)).toBeLessThanOrEqual(2 * receipts.length * 1e9);
}

async function postSome(service: Served): Promise<void> {
  for (const [position, caller] of [alice, bob, alice].entries())
    await service.postUntilAnswered(caller, `article ${position}`);
}

const kinds: readonly AwsFaultKind[] = ['killed before', 'killed after', 'answer lost', 'conflict'];

test.each(routes.flatMap((route) => kinds.map((kind) => ({ kind, route }))))(
  'row 43: fees are counted once although what settles is $kind its write: $route',
  async ({ kind, route }) => {
    const service = await serve(route);
    const about = 'fees#';
    for (const nth of [1, 3])
      service.world.aws.inject({ kind, command: 'TransactWriteItems', about, nth, times: 2 });
    await postSome(service);
    await service.endsByRule();
    await expectPaid(service.world);
  },
);

test.each(routes)(
  'row 43: fees are counted once although a deep reorganisation undoes what was final: %j',
  async (route) => {
    const service = await serve({ ...route, confirmations: 2 });
    const { chain, log } = service.world;
    const before = chain.newest.number;
    await postSome(service);
    await service.endsByRule();
    await chain.reorganise(chain.newest.number - before, { drop: true });
    await service.until(() => log.messages('error').includes('reorganisation deeper than confirmations'));
    await service.endsByRule();
    await expectPaid(service.world);
  },
);

test.each(routes)(
  'row 43: an organisation whose budget is used up is refused, with an alarm before, and no other is: %j',
  async (route) => {
    const service = await serve(route);
    const { log, clock } = service.world;
    const rows = await confirmed(service, 2);
    // What it paid so far is nine tenths of what it may, in coins.
    const budget = (Number(await paidBy(service.world, alice)) * 10) / 9 / 1e18;
    const limited = { ...alice, limits: { feeBudgets: { [service.world.chain.settings.chainId]: budget } } };
    const warning = 'organisation near its fee budget';
    expect(log.messages('warn')).not.toContain(warning);
    const posted: Attestation[] = [];
    await expect(
      (async () => {
        for (let n = 0; n < 20; n++) {
          posted.push((await service.post(limited, `late article ${n}`)).attestation);
          await service.endsByRule();
        }
      })(),
    ).rejects.toThrow(LimitReachedError);
    expect(log.messages('warn')).toContain(warning);
    expect(posted.length).toBeGreaterThan(0);
    expect((await service.post(limited, 'article 0')).attestation.id).toBe(rows[0]?.id);
    const link = () => linkChild(service.services, { ...limited, id: rows[0]?.id ?? '' }, rows[1]?.id ?? '');
    await expect(link()).rejects.toThrow(LimitReachedError);
    expect((await service.post(bob, 'an article of another')).accepted).toBe(true);
    clock.advance(86_400);
    await link();
    await service.endsByRule();
  },
);
