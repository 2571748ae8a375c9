import { expect, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { pauseLane, resumeLane } from '../../functions/domain/operator/lane-control.ts';
import { batchLimits } from '../../functions/domain/sending/batch-call.ts';
import { RpcRefusal } from '../fakes/rpc/rpc-call.ts';
import type { RpcRule } from '../fakes/rpc/rpc-proxy.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { queued, routes, serve } from './world/served.ts';

/** Every second call of a batch is refused for load, inside an answer of HTTP 200. */
function itemsRefused(): RpcRule {
  let calls = 0;
  return {
    fault: {
      kind: 'answered',
      by: async ({ method, params }, ask) => {
        if (++calls % 2 === 0) throw new RpcRefusal({ code: 429, message: 'compute units exceeded' });
        return ask(method, params);
      },
    },
    methods: ['eth_call', 'eth_estimateGas'],
  };
}

/** A full batch of reveals that wait on a paused lane, all but one of an authority that has revoked its delegation. */
async function revokedWithAFullBatch() {
  const service = await serve({ batches: false, forwarder: true, confirmations: 2 });
  const { world, services, post, until } = service;
  const attestations: Attestation[] = [];
  await pauseLane(services, world.lane);
  for (let n = 0; n < batchLimits.operations; n++) {
    const caller = n === 50 ? bob : alice;
    attestations.push((await post(caller, `article ${n}`)).attestation);
  }
  const allQueued = async () => (await queued(world)).length === attestations.length;
  await until(allQueued);
  await resumeLane(services, world.lane);
  await until(async () => (await queued(world)).length === 0);
  await pauseLane(services, world.lane);
  await until(allQueued);
  await world.chain.revokeDelegation(alice.authorityAddress);
  await service.pass(20);
  return { service, attestations };
}

test('row 34: behind limits of calls, one organisation that revoked its delegation is judged at once, and holds up no other', async () => {
  const { service, attestations } = await revokedWithAFullBatch();
  const { world, services, until, endsByRule } = service;
  const [provider] = world.providers;
  if (!provider) throw new Error('there is a provider');
  const lift = provider.set(itemsRefused());
  await resumeLane(services, world.lane);
  await service.pass(60);
  const errors = async () =>
    (await Promise.all(attestations.map(world.row))).flatMap(({ error }) => error ?? []);
  expect([(await queued(world)).length, await errors()]).toEqual([attestations.length, []]);

  lift();
  provider.set({ fault: { kind: 'batch refused', most: 10 } });
  const before = provider.counts.get('eth_call') ?? 0;
  await until(async () => (await queued(world)).length === 0);
  // Simulated twice, with what failed and without it, and judged by states, reveals and their commits.
  expect((provider.counts.get('eth_call') ?? 0) - before).toBeLessThanOrEqual(2 + 3);
  await endsByRule();
  expect(await errors()).toHaveLength(95);
  for (const error of await errors()) expect(error).toContain(`delegation of ${alice.authorityAddress}`);
  const rows = await Promise.all(attestations.map(world.row));
  expect(rows.findIndex(({ status }) => status === 'confirmed')).toBe(50);
});

test.each(routes)(
  'row 34: a provider of three calls a request serves a chain set to that: %j',
  async (route) => {
    const { world, post, endsByRule } = await serve({ ...route, rpcBatchSize: 3 });
    world.providers[0]?.set({ fault: { kind: 'batch refused', most: 3 } });
    const { attestation } = await post(alice, 'An article.');
    await endsByRule();
    expect((await world.row(attestation)).status).toBe('confirmed');
  },
);
