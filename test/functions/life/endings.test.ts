import { expect, test } from 'vitest';
import { pauseLane, resumeLane } from '../../../functions/domain/operator/lane-control.ts';
import { checkConfirmedOnce, watchSends } from '../../fakes/checks/outcome-checks.ts';
import { runService } from '../../fakes/world/running-service.ts';
import { alice, bob, type World } from '../../fakes/world/world.ts';

/** As a public chain is: a block each twelve seconds, final when twelve deep. */
const slowChain = { blockTimeSeconds: 12, confirmations: 12 };
const hours = 3600;

test.each([{}, slowChain])(
  'many attestations of two organizations are confirmed, once each: %j',
  async (given) => {
    const service = runService(undefined, given);
    watchSends(service.world);
    const posts = Array.from({ length: 24 }, (_, n) => service.post(n % 3 ? alice : bob, `article ${n}`));
    const created = await Promise.all(posts);
    expect(await service.untilIdle(4 * hours)).toBe(true);
    for (const { attestation } of created) {
      const { status, attestationIndex } = await service.world.row(attestation);
      const registryState = await service.world.chain.registry.registryState(attestation);
      expect([status, attestationIndex]).toEqual(['confirmed', registryState.attestationIndex]);
    }
    const nonces = service.world.chain.receipts().map(({ nonce }) => nonce);
    expect(nonces).toEqual(Array.from({ length: 48 }, (_, nonce) => nonce));
    expect(service.world.chain.receipts().every(({ succeeded }) => succeeded)).toBe(true);
  },
);

test('a lane that works for hours hands over from run to run, and sends nothing twice', async () => {
  const service = runService();
  const { world, queue } = service;
  world.chain.minTip = 1000n * 1_000_000_000n;
  const { attestation } = await service.post(alice, 'An article.');
  queue.after(2000, () => {
    world.chain.minTip = 0n;
  });
  expect(await service.untilTerminal(attestation, 2 * hours)).toBe(true);
  await checkConfirmedOnce(world, attestation);
  const runs = [...service.machines.executions.keys()].filter((name) => name.startsWith(world.lane));
  expect(runs.length).toBeGreaterThan(2);
});

const plenty = 10n ** 20n;

const stops = [
  {
    why: 'a key without money',
    settings: slowChain,
    stop: async ({ chain, signer }: World) => chain.setBalance(signer.address, 0n),
    resume: async ({ chain, signer }: World) => chain.setBalance(signer.address, plenty),
  },
  {
    why: 'a paused lane, with a short time-out,',
    settings: { ...slowChain, taskTimeoutSeconds: 120 },
    stop: ({ services, lane }: World) => pauseLane(services, lane),
    resume: ({ services, lane }: World) => resumeLane(services, lane),
  },
];

test.each(stops)(
  '$why lasts a long weekend, and the attestation continues afterwards',
  async ({ settings, stop, resume }) => {
    const service = runService(undefined, settings);
    const { world } = service;
    await stop(world);
    const { attestation } = await service.post(alice, 'An article.');
    await service.untilTerminal(attestation, 72 * 3600);
    expect(await world.row(attestation)).toMatchObject({ status: 'pending', error: null });
    await resume(world);
    await service.untilTerminal(attestation, 3600);
    expect((await world.row(attestation)).status).toBe('confirmed');
  },
  120_000,
);
