import type { Address } from 'viem';
import { describe, expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import type { Attempt, Operation, Payload, Transaction } from '../../../../functions/domain/lane/lane.ts';
import { laneStateRecord } from '../../../../functions/domain/lane/lane-records.ts';
import { putTransaction } from '../../../../functions/domain/lane/transaction-records.ts';
import { registryCall } from '../../../../functions/domain/operation/registry-call.ts';
import { cancelTransaction } from '../../../../functions/domain/operator/cancel-transaction.ts';
import { resumeLane } from '../../../../functions/domain/operator/lane-control.ts';
import { batchCallOf, routeOf } from '../../../../functions/domain/sending/batch-call.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { FakeSigner } from '../../../fakes/ports/fake-signer.ts';
import { mineAndTick, startCommit, stateOf, tick } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

const attackerAddress: Address = '0x6666666666666666666666666666666666666666';

const commitOf = ({ organizationId, id, createdAt }: Attestation): Operation => ({
  ...{ organizationId, id, kind: 'commit', queuedAt: createdAt },
});

/** Makes the transaction that a lane would bind for the commit. */
function commitCall({ signer }: World, row: Attestation) {
  const call = registryCall(row, 'commit');
  return batchCallOf([call], routeOf(call.from, signer.address), signer.address);
}

type ForgedFields = Partial<Pick<Transaction, 'to' | 'gasLimit' | 'attempts'>> & Partial<Payload>;

/** Writes a transaction as the next of the lane, although the lane did not bind it. */
async function forge(world: World, row: Attestation, fields: ForgedFields) {
  const { nextNonce } = await stateOf(world);
  const { operations = [commitOf(row)], data = commitCall(world, row).data, ...more } = fields;
  const transaction: Transaction = {
    ...{ schema: 1, lane: world.lane, nonce: nextNonce, attempts: [], state: 'pending', settledCount: 0 },
    ...{ to: commitCall(world, row).to, gasLimit: 200_000n, version: 1, ...more },
    boundAt: world.clock.now().toISOString(),
  };
  await world.records.transact([
    { key: laneStateRecord(world.lane), set: { nextNonce: nextNonce + 1 } },
    ...putTransaction(transaction, { operations, data }),
  ]);
  return transaction;
}

/** Makes a world whose lane has run, and a row without any operation. */
async function makeVictim(options: { readonly forwarder?: boolean }) {
  const world = makeWorld(options);
  await startCommit(world, bob, 'of another');
  await mineAndTick(world, 5);
  const { attestation: row } = await world.create(alice, 'An article.');
  /** Makes the row name a target of the attacker. */
  const redirect = async () => {
    const field = options.forwarder ? 'delegateAddress' : 'registryAddress';
    await world.records.update({ key: attestationRow(row), set: { [field]: attackerAddress } });
    return world.row(row);
  };
  return { world, row, redirect };
}

/** Checks that no tick signs the forged transaction, and that the lane pauses. */
async function expectUnsigned(world: World, reason: string): Promise<void> {
  const { signed } = world.signer;
  const { nextNonce } = await stateOf(world);
  await mineAndTick(world, 3);
  const paused = `transaction ${nextNonce - 1} is not signed: ${reason}`;
  expect((await stateOf(world)).paused).toBe(paused);
  expect(world.signer.signed).toBe(signed);
  expect(world.log.messages('error').filter((message) => message === 'lane paused')).toHaveLength(3);
}

const routes = [{}, { forwarder: true }];

describe.each(routes)(
  'a stored transaction that does not match its attestations is not signed: %j',
  (route) => {
    test.each<[string, ForgedFields, string]>([
      [
        'a call of an attacker, with much gas',
        { to: attackerAddress, gasLimit: 30_000_000n },
        'its attestations need a different call',
      ],
      [
        'a transaction without operations',
        { to: attackerAddress, operations: [], data: '0xdeadbeef' },
        'not all of its attestations can be read',
      ],
      ['other calldata', { data: '0xdeadbeef' }, 'its attestations need a different call'],
      [
        'more gas than a batch may take',
        { gasLimit: 15_000_001n },
        'its gas limit 15000001 is above 15000000',
      ],
    ])('%s', async (_, forged, reason) => {
      const { world, row } = await makeVictim(route);
      await forge(world, row, forged);
      await expectUnsigned(world, reason);
    });

    test('a row with the attacker’s target', async () => {
      const { world, redirect } = await makeVictim(route);
      await forge(world, await redirect(), {});
      await expectUnsigned(world, `the settings never named ${attackerAddress}`);
    });

    test.each(['nobody', 'another key', 'the lane, for other bytes'])(
      'a signature by %s',
      async (signedBy) => {
        const { world, row } = await makeVictim(route);
        const fees = { maxFeePerGas: 5n, maxPriorityFeePerGas: 1n };
        const { chainId } = world.chain.settings;
        const { nextNonce: nonce } = await stateOf(world);
        const forged = { to: attackerAddress, gasLimit: 90_000n, data: '0xdeadbeef' } as const;
        const signer = signedBy === 'another key' ? new FakeSigner(`0x${'c3'.repeat(32)}`) : world.signer;
        const to = signedBy === 'another key' ? attackerAddress : world.signer.address;
        const { hash, signature } = await signer.sign({ ...forged, ...fees, chainId, nonce, to });
        const attempt: Attempt = {
          ...{ ...fees, hash, signedAtBlock: 0, sentAt: new Date(0).toISOString() },
          signature: signedBy === 'nobody' ? '0x1234' : signature,
        };
        world.chain.send = async () => {};
        await forge(world, row, { ...forged, attempts: [attempt] });
        await expectUnsigned(world, 'its attestations need a different call');
      },
    );
  },
);

test('a lane that did not sign a forged transaction continues after an operator cancels it and resumes the lane', async () => {
  const { world, row } = await makeVictim({});
  const { nonce } = await forge(world, row, { to: attackerAddress, operations: [], data: '0xdeadbeef' });
  await tick(world);
  await cancelTransaction(world.services, world.lane, nonce);
  await resumeLane(world.services, world.lane);
  await queueOperation(world.services, row, 'commit');
  await mineAndTick(world, 6);
  expect(world.chain.receipts().at(-2)).toMatchObject({ nonce, to: world.signer.address, data: '0x' });
  expect((await world.row(row)).commitPhase).toBe('final');
});

test.each(routes)(
  'a queued operation that an attacker redirected is not bound and does not block others: %j',
  async (route) => {
    const { world, row, redirect } = await makeVictim(route);
    const { attestation: honest } = await world.create(bob, 'honest');
    const { nextNonce } = await stateOf(world);
    await redirect();
    await queueOperation(world.services, row, 'commit');
    await queueOperation(world.services, honest, 'commit');
    await mineAndTick(world, 5);
    expect((await world.row(honest)).commitPhase).toBe('final');
    expect((await world.row(row)).commitPhase).toBe('queued');
    expect(await stateOf(world)).toMatchObject({ nextNonce: nextNonce + 1 });
    expect((await stateOf(world)).paused).toBeUndefined();
    expect(world.log.messages('error')).toContain('operation cannot be sent');
  },
);
