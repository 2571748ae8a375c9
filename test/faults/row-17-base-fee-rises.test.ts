import { expect, test } from 'vitest';
import type { Fees } from '../../functions/domain/chain.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { laneOf, routes, type Served, serve, transactionOf } from './world/served.ts';

const gwei = 1_000_000_000n;
const refusal = 'transaction may not have been sent';

/** An attestation whose commit waits in the mempool, and then for the fees to fall. */
async function sentBeforeFeesRose({ world, post, until }: Served) {
  const { chain } = world;
  const { attestation } = await post(alice, 'An article.');
  await until(() => chain.mempool.nonces().length === 1);
  await chain.setBaseFee(10n * chain.node.baseFee);
  return attestation;
}

/** Each pays at least a tenth more than the last in both fields, and none more than the cap. */
function expectLegal(attempts: readonly Fees[], capGwei: number): void {
  const isTenthMore = (fee: bigint, before = 0n) => fee * 10n >= before * 11n && fee > before;
  for (const [position, { maxFeePerGas, maxPriorityFeePerGas }] of attempts.entries()) {
    const last = attempts[position - 1];
    expect(isTenthMore(maxFeePerGas, last?.maxFeePerGas)).toBe(true);
    expect(isTenthMore(maxPriorityFeePerGas, last?.maxPriorityFeePerGas)).toBe(true);
    expect(maxFeePerGas).toBeLessThanOrEqual(BigInt(capGwei) * gwei);
  }
}

test.each(routes)(
  'row 17: a base fee ten times as high is followed by legal replacements: %j',
  async (route) => {
    const service = await serve({ ...route, blockTimeSeconds: 4, maxFeePerGasGwei: 200 });
    const { world, endsByRule } = service;
    const attestation = await sentBeforeFeesRose(service);
    await endsByRule();
    const { attempts } = await transactionOf(world, 0);
    expect(attempts.length).toBeGreaterThan(1);
    expectLegal(attempts, 200);
    expect(world.log.messages('error')).not.toContain(refusal);
    expect(await world.row(attestation)).toMatchObject({ commitTxHash: attempts.at(-1)?.hash });
  },
);

test.each(routes)(
  'row 17: at the cap nothing more is bound, and all goes on when fees fall: %j',
  async (route) => {
    const service = await serve({ ...route, blockTimeSeconds: 4, maxFeePerGasGwei: 50 });
    const { world, post, pass, endsByRule } = service;
    const sent = await sentBeforeFeesRose(service);
    const { attestation: later } = await post(bob, 'Meanwhile.');
    await pass(100);
    const { attempts } = await transactionOf(world, 0);
    expect(attempts.at(-1)?.maxFeePerGas).toBe(50n * gwei);
    expectLegal(attempts, 50);
    expect((await laneOf(world)).nextNonce).toBe(1);
    expect(await world.row(later)).toMatchObject({ status: 'pending', commitPhase: 'queued' });
    expect(world.log.messages('warn')).toContain('fee cap reached');
    await world.chain.setBaseFee(10n * gwei);
    await endsByRule();
    for (const one of [sent, later]) expect((await world.row(one)).status).toBe('confirmed');
    expect(world.log.messages('error')).not.toContain(refusal);
  },
);

test.each(routes)(
  'row 17: what waits above the cap for longer than the limit fails by that rule: %j',
  async (route) => {
    const limits = { maxQueuedHours: 0.02, maxFeePerGasGwei: 50 };
    const service = await serve({ ...route, blockTimeSeconds: 4, ...limits });
    const { world, post, pass, untilTerminal, endsByRule } = service;
    const sent = await sentBeforeFeesRose(service);
    const { attestation: later } = await post(bob, 'Meanwhile.');
    await pass(60);
    expect((await world.row(later)).status).toBe('pending');
    expect(await untilTerminal(later, 300)).toBe(true);
    const { status, error } = await world.row(later);
    expect([status, error]).toEqual([
      'failed',
      'gas price stayed above the cap of 50 gwei for 0.02 h; submit the content again',
    ]);
    await world.chain.setBaseFee(10n * gwei);
    const again = await post(bob, 'Meanwhile.');
    expect(again.accepted).toBe(true);
    await endsByRule();
    const ends = await Promise.all([sent, later, again.attestation].map(world.row));
    expect(ends.map((row) => row.status)).toEqual(['confirmed', 'failed', 'confirmed']);
  },
);

test.each(routes)(
  'row 17: what every node refuses for its cost goes when fees fall, and is offered at no higher ones: %j',
  async (route) => {
    const service = await serve({ ...route, blockTimeSeconds: 4 });
    const { world, post, pass, until, endsByRule } = service;
    const { chain, log } = world;
    await chain.setBaseFee(45n * gwei);
    chain.feeCap = 10n ** 15n;
    const { attestation } = await post(alice, 'An article.');
    await pass(600);
    expect(await transactionOf(world, 0)).toMatchObject({ attempts: [{ refused: true }] });
    expect(log.messages('error')).toContain('transaction refused');
    await chain.setBaseFee(gwei);
    await until(async () => (await chain.receipts()).length > 0, 30);
    await endsByRule();
    expect((await world.row(attestation)).status).toBe('confirmed');
  },
);
