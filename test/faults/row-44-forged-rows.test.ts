import type { Address } from 'viem';
import { expect, test } from 'vitest';
import { attestationRow } from '../../functions/domain/attestation/attestation-records.ts';
import type { Payload, Transaction } from '../../functions/domain/lane/lane.ts';
import { laneStateRecord } from '../../functions/domain/lane/lane-records.ts';
import { putTransaction } from '../../functions/domain/lane/transaction-records.ts';
import { registryCall } from '../../functions/domain/operation/registry-call.ts';
import { cancelTransaction } from '../../functions/domain/operator/cancel-transaction.ts';
import { resumeLane } from '../../functions/domain/operator/lane-control.ts';
import { batchCallOf, routeOf } from '../../functions/domain/sending/batch-call.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { laneOf, queued, routes, type Served, serve, transactionOf } from './world/served.ts';

const attackerAddress: Address = '0x6666666666666666666666666666666666666666';

/** Writes a transaction of a confirmed attestation's commit as the next of the lane, with what an attacker wants. */
async function forge({ world, post, endsByRule }: Served, given: Partial<Transaction & Payload>) {
  const { attestation } = await post(alice, 'An article.');
  await endsByRule();
  const { organizationId, id, createdAt: queuedAt } = attestation;
  const call = registryCall(await world.row(attestation), 'commit');
  const { address } = world.signer;
  const batchCall = batchCallOf([call], routeOf(call.from, address), address);
  const { nextNonce: nonce } = await laneOf(world);
  const { operations, data = batchCall.data, ...more } = given;
  const transaction: Transaction = {
    ...{ schema: 1, lane: world.lane, nonce, attempts: [], state: 'open', settledCount: 0, version: 1 },
    ...{ to: batchCall.to, gasLimit: 200_000n, boundAt: world.clock.now().toISOString(), ...more },
  };
  const commit = { organizationId, id, kind: 'commit', queuedAt } as const;
  await world.records.transact([
    { key: laneStateRecord(world.lane), set: { nextNonce: nonce + 1 } },
    ...putTransaction(transaction, { operations: operations ?? [commit], data }),
  ]);
  return nonce;
}

const forgeries: Partial<Transaction & Payload>[] = [
  { to: attackerAddress, gasLimit: 30_000_000n },
  { to: attackerAddress, operations: [], data: '0xdeadbeef' },
  { data: '0xdeadbeef' },
  { gasLimit: 30_000_000n },
];

test.each(routes.flatMap((route) => forgeries.map((forgery, number) => ({ route, number, forgery }))))(
  'row 44: a transaction that somebody else wrote is not signed, and pauses the lane: $route, $number',
  async ({ route, forgery }) => {
    const service = await serve(route);
    const { world, services } = service;
    const nonce = await forge(service, forgery);
    const signatures = () => world.aws.calls.filter((call) => call === 'Sign').length;
    const before = signatures();
    await service.until(async () => (await laneOf(world)).paused !== undefined);
    await service.pass(60);
    expect((await laneOf(world)).paused).toContain(`transaction ${nonce} is not signed`);
    expect(await transactionOf(world, nonce)).toMatchObject({ state: 'open', attempts: [] });
    expect(signatures()).toBe(before);
    expect(world.log.messages('error')).toContain('lane paused');

    await cancelTransaction(services, world.lane, nonce);
    await resumeLane(services, world.lane);
    const { attestation } = await service.post(bob, 'An article.');
    await service.endsByRule();
    expect((await world.row(attestation)).status).toBe('confirmed');
    const mined = await world.chain.receipts();
    expect(mined.filter(({ to }) => to === attackerAddress)).toEqual([]);
    expect(mined[nonce]).toMatchObject({ nonce, to: world.signer.address, data: '0x' });
  },
);

test('row 44: an operation whose row names a registry of the attacker is not sent, and holds up no other', async () => {
  const service = await serve();
  const { world } = service;
  const { attestation } = await service.post(alice, 'An article.');
  await service.until(async () => (await world.row(attestation)).status === 'committed');
  const key = attestationRow(attestation);
  await world.records.update({ key, set: { registryAddress: attackerAddress } });
  const { attestation: honest } = await service.post(bob, 'An article.');
  await service.until(async () => (await world.row(honest)).status === 'confirmed');
  await service.pass(60);
  expect(await queued(world)).toMatchObject([{ id: attestation.id, kind: 'reveal' }]);
  expect(world.log.messages('error')).toContain('operation not served');
  expect((await laneOf(world)).paused).toBeUndefined();

  const { registryAddress } = world.contracts;
  await world.records.update({ key, set: { registryAddress } });
  await service.endsByRule();
  expect((await world.row(attestation)).status).toBe('confirmed');
});
