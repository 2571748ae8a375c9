import type { Address } from 'viem';
import { describe, expect, test } from 'vitest';
import { laneName } from '../../../../functions/domain/lane/lane.ts';
import { changeState, openOrReadLane } from '../../../../functions/domain/lane/lane-records.ts';
import { laneServices } from '../../../../functions/domain/lane/lane-services.ts';
import { chainSigners, laneOf, laneSigner } from '../../../../functions/domain/lane/signers.ts';
import { transactionsFrom } from '../../../../functions/domain/lane/transaction-records.ts';
import { activateSigner, revokeSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { readLaneStatus } from '../../../../functions/domain/operator/read-lane-status.ts';
import { advance } from '../../../../functions/domain/steps/advance-lane.ts';
import { commitStep } from '../../../../functions/domain/steps/commit.ts';
import { watchSends } from '../../../fakes/checks/outcome-checks.ts';
import { dispatchQueue } from '../../../fakes/world/dispatch-queue.ts';
import { runService } from '../../../fakes/world/running-service.ts';
import { addKey, enqueue, tick } from '../../../fakes/world/steps.ts';
import { alice, bob, chainId, makeWorld, type World } from '../../../fakes/world/world.ts';

async function makeRotated() {
  const world = makeWorld({ forwarder: true });
  const second = addKey(world);
  await activateSigner(world.services, chainId, second);
  return { world, second };
}

const queueOf = ({ delegateAddress }: World) => ({ chainId, delegateAddress });

const statesOf = async ({ services }: World) =>
  (await chainSigners(services, chainId)).map(({ address, state }) => [address, state]);

async function unsettledNonces(world: World, address: Address): Promise<number[]> {
  const state = await openOrReadLane(laneServices(world.services, laneName(chainId, address)));
  return (await transactionsFrom(world.records, state)).map(({ nonce }) => nonce);
}

describe('the signers of a chain', () => {
  test('are only the stack’s own key until one is added', async () => {
    const world = makeWorld({ forwarder: true });
    expect(await chainSigners(world.services, chainId)).toEqual([
      { address: world.signer.address, state: 'active' },
    ]);
    expect(await laneOf(world.services, queueOf(world))).toBe(world.lane);
  });

  test('use the active key for a forwarder, and the stack’s own key, without a read, where it is itself the delegate', async () => {
    const { world, second } = await makeRotated();
    expect(await laneOf(world.services, queueOf(world))).toBe(laneName(chainId, second.address));
    world.records.readFailure = new Error('read');
    const own = { chainId, delegateAddress: world.signer.address };
    expect(await laneOf(world.services, own)).toBe(world.lane);
  });

  test('sign with the KMS key of their lane only', async () => {
    const { world, second } = await makeRotated();
    const lane = laneName(chainId, second.address);
    expect(await laneSigner(laneServices(world.services, lane))).toBe(world.signers.get('second'));
    expect(await laneSigner(laneServices(world.services, world.lane))).toBe(world.signer);
    world.signers.set('second', world.signer);
    await expect(laneSigner(laneServices(world.services, lane))).rejects.toThrow(
      `not have the key of lane ${lane}`,
    );
    const stranger = laneName(chainId, alice.authorityAddress);
    await expect(laneSigner(laneServices(world.services, stranger))).rejects.toThrow(
      `not have the key of lane ${stranger}`,
    );
  });
});

describe('a rotation', () => {
  test('lets the new signer send from then on, and the former one settle its transactions', async () => {
    const world = makeWorld({ forwarder: true });
    await enqueue(world, alice, 1, 'before');
    await dispatchQueue(world.services, queueOf(world));
    const second = addKey(world);
    const first = await activateSigner(world.services, chainId, second);
    expect(world.executions.started).toContain(`${laneName(chainId, second.address)}-1`);
    expect(await activateSigner(world.services, chainId, second)).toEqual(first);
    await enqueue(world, alice, 1, 'after');
    await dispatchQueue(world.services, queueOf(world));
    expect(await unsettledNonces(world, world.signer.address)).toHaveLength(1);
    expect(await unsettledNonces(world, second.address)).toHaveLength(1);
    world.mine(world.chain.settings.confirmations);
    const { run } = await openOrReadLane(laneServices(world.services, world.lane));
    await advance(world.services, { lane: world.lane, run, turn: 0 });
    expect(await unsettledNonces(world, world.signer.address)).toEqual([]);
  });

  test('makes a nonce assignment fail that began before the rotation', async () => {
    const world = makeWorld({ forwarder: true });
    const read = await openOrReadLane(laneServices(world.services, world.lane));
    await activateSigner(world.services, chainId, addKey(world));
    expect(await world.records.update(changeState(read, { nextNonce: 1 }))).toBeUndefined();
  });

  test('succeeds although the new lane cannot be started', async () => {
    const world = makeWorld({ forwarder: true });
    world.executions.startFailure = new Error('throttled');
    const second = addKey(world);
    await activateSigner(world.services, chainId, second);
    expect(await statesOf(world)).toContainEqual([second.address, 'active']);
  });

  test('concurrent with another leaves one signer active', async () => {
    const world = makeWorld({ forwarder: true });
    const keys = [addKey(world), addKey(world, 'third')];
    await Promise.all(keys.map((key) => activateSigner(world.services, chainId, key)));
    const states = (await statesOf(world)).map(([, state]) => state);
    expect(states.sort()).toEqual(['active', 'draining', 'draining']);
  });

  test('back to a draining signer lets its lane send again', async () => {
    const { world } = await makeRotated();
    await activateSigner(world.services, chainId, { address: world.signer.address });
    await enqueue(world, alice, 1, 'after');
    await dispatchQueue(world.services, queueOf(world));
    expect(await unsettledNonces(world, world.signer.address)).toHaveLength(1);
  });
});

describe('a revocation', () => {
  test('stops the signer at once and permanently, and the newest other continues', async () => {
    const world = makeWorld({ forwarder: true });
    const [second, third] = [addKey(world), addKey(world, 'third')];
    await activateSigner(world.services, chainId, second);
    await activateSigner(world.services, chainId, third);
    await revokeSigner(world.services, chainId, third.address);
    expect(await statesOf(world)).toEqual([
      [world.signer.address, 'draining'],
      [second.address, 'active'],
      [third.address, 'revoked'],
    ]);
    await enqueue(world, alice, 1, 'after');
    await dispatchQueue(world.services, queueOf(world));
    expect(await unsettledNonces(world, second.address)).toHaveLength(1);
    await expect(activateSigner(world.services, chainId, third)).rejects.toThrow('revoked permanently');
  });

  test('of a key that a thief uses does not wait for a final block', async () => {
    const world = makeWorld({ forwarder: true, confirmations: 4 });
    const second = addKey(world);
    await activateSigner(world.services, chainId, second);
    world.chain.spendNonce(second.address);
    await revokeSigner(world.services, chainId, second.address);
    expect(await statesOf(world)).toEqual([
      [world.signer.address, 'active'],
      [second.address, 'revoked'],
    ]);
  });

  test('of a draining signer does not affect the active signer, and repeating it changes nothing', async () => {
    const { world, second } = await makeRotated();
    const first = await revokeSigner(world.services, chainId, world.signer.address);
    expect(await revokeSigner(world.services, chainId, world.signer.address)).toEqual(first);
    expect(await statesOf(world)).toEqual([
      [world.signer.address, 'revoked'],
      [second.address, 'active'],
    ]);
    const { retired } = await openOrReadLane(laneServices(world.services, world.lane));
    expect(retired).toBe('revoked');
  });

  test('of the last signer is refused unless forced, and then nothing is bound', async () => {
    const world = makeWorld({ forwarder: true });
    const { address } = world.signer;
    await expect(revokeSigner(world.services, chainId, address)).rejects.toThrow('rotate first');
    await revokeSigner(world.services, chainId, address, { force: true });
    expect(await statesOf(world)).toEqual([[address, 'revoked']]);
    await enqueue(world, alice, 1, 'after');
    await dispatchQueue(world.services, queueOf(world));
    expect(await unsettledNonces(world, address)).toEqual([]);
    const second = addKey(world);
    await activateSigner(world.services, chainId, second);
    await dispatchQueue(world.services, queueOf(world));
    expect(await unsettledNonces(world, second.address)).toHaveLength(1);
  });

  test('of a key that is itself a delegate fails its queued operations, which no other key can send', async () => {
    const world = makeWorld();
    const { attestation: row } = await world.create(alice, 'An article.');
    await revokeSigner(world.services, chainId, world.signer.address, { force: true });
    await commitStep(world.services, { ...row, taskToken: 'commit' });
    await tick(world);
    const error = `the key ${world.signer.address} was revoked on chain ${chainId}; delegate to another address and submit the content again`;
    expect(await world.row(row)).toMatchObject({ status: 'failed', error });
    await expect(world.create(alice, 'Another.')).rejects.toThrow(
      `no active delegation for chain ${chainId}`,
    );
    expect(world.executions.answers).toEqual([{ token: 'commit', error: 'AttestationFailedError' }]);
    expect(await world.owes()).toBe(false);
  });

  test('of an unknown signer is refused', async () => {
    const world = makeWorld({ forwarder: true });
    await expect(revokeSigner(world.services, chainId, alice.authorityAddress)).rejects.toThrow(
      `chain ${chainId} has no signer ${alice.authorityAddress}`,
    );
  });
});

test('attestations in progress are each confirmed once, through another key, after their key leaks and the forwarder refuses it', async () => {
  const given = { forwarder: true, confirmations: 5 };
  const { world, services, post, queue, finishAndCheck } = runService(undefined, given);
  const second = addKey(world);
  const postAll = async (...texts: string[]) => {
    for (const text of texts) for (const caller of [alice, bob]) await post(caller, text);
  };
  watchSends(world);
  await activateSigner(services, chainId, second);
  // These are sent, but not mined before the forwarder refuses them.
  world.chain.minTip = 10n ** 12n;
  await postAll('a', 'b', 'c');
  await queue.until(async () => false, 3);
  await revokeSigner(services, chainId, second.address);
  world.chain.removeOperator(world.delegateAddress, second.address);
  world.chain.minTip = 0n;
  await postAll('d', 'e');
  await finishAndCheck();
  const { nonces } = await readLaneStatus(services, laneName(chainId, second.address));
  expect(nonces?.final).toBeGreaterThan(0);
  const mined = world.chain.receipts().filter(({ sender }) => sender === second.address);
  expect(mined.filter(({ succeeded }) => succeeded)).toEqual([]);
});
