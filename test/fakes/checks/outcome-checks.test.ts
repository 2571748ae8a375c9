import { beforeAll, describe, expect, test } from 'vitest';
import { attestationRow } from '../../../functions/domain/attestation/attestation-records.ts';
import { laneStateRecord } from '../../../functions/domain/lane/lane-records.ts';
import { queuedOperation } from '../../../functions/domain/lane/queue-records.ts';
import { transactionRecord } from '../../../functions/domain/lane/transaction-records.ts';
import { signedBytes } from '../../../functions/domain/raw-transaction.ts';
import type { Fields } from '../../../functions/domain/records.ts';
import { linkChild } from '../../../functions/domain/requests/link-child.ts';
import { runService } from '../world/running-service.ts';
import { alice, bob, type World } from '../world/world.ts';
import { checkConfirmedOnce, checkRule, watchSends } from './outcome-checks.ts';

async function send(world: World, nonce: number): Promise<void> {
  const { signer, chain } = world;
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n, gasLimit: 1_000_000n };
  const transfer = {
    chainId: chain.settings.chainId,
    nonce,
    to: signer.address,
    data: '0x',
    ...fees,
  } as const;
  const { signature } = await signer.sign(transfer);
  await chain.send(signedBytes(transfer, signature));
}

test.fails('watching sends finds a transaction that is not stored', async () => {
  const { world } = runService();
  watchSends(world);
  await send(world, 0);
});

describe.each([{ forwarder: false }, { forwarder: true }])('the rule, %o', (mode) => {
  /** Two attestations of alice's, one linked to the other, and a failed one of bob's. */
  async function lived() {
    const service = runService(undefined, mode);
    const { world } = service;
    const posts = ['a', 'b'].map((text) => service.post(alice, text));
    const [parent, child] = (await Promise.all(posts)).map(({ attestation }) => attestation);
    if (!parent || !child) throw new Error('two attestations');
    const { attestation: failed } = await service.post(bob, 'c');
    world.chain.revokeDelegation(bob.authorityAddress);
    expect(await service.untilIdle()).toBe(true);
    await linkChild(service.services, parent, child.id);
    expect(await service.untilIdle()).toBe(true);
    const change = (fields: Fields, of = parent) =>
      world.records.update({ key: attestationRow(of), set: fields });
    return { world, parent, child, failed, change };
  }

  let life: Awaited<ReturnType<typeof lived>>;

  beforeAll(async () => {
    life = await lived();
  });

  /** Checks that the rule holds without a change of a record and fails with it; the change is undone. */
  async function breaks(key: Parameters<World['records']['peek']>[0], set: Fields): Promise<void> {
    const { world } = life;
    const before = world.records.peek(key) ?? {};
    await world.records.update({ key, set });
    await expect(checkRule(world)).rejects.toThrow();
    await world.records.update({ key, put: before });
    await checkRule(world);
  }

  test('holds of a life without faults', async () => {
    await checkRule(life.world);
    expect((await life.world.row(life.failed)).status).toBe('failed');
  });

  test.each<[string, Fields]>([
    ['shows another index', { attestationIndex: 7 }],
    ['shows another time', { confirmedAt: '2020-01-01T00:00:00.000Z' }],
    ['shows another hash', { revealTxHash: '0x00' }],
    ['says failed, though it is on the chain', { status: 'failed', error: 'why' }],
    ['waits', { status: 'committed' }],
    ['shows another link', { childLinkTxHash: '0x00' }],
    ['has a newer link intent', { childDigest: `0x${'ab'.repeat(32)}` }],
  ])('does not hold of a row that %s', async (_, set) => {
    await breaks(attestationRow(life.parent), set);
  });

  test('does not hold of a failed row that does not say why, or of one that is confirmed', async () => {
    const key = attestationRow(life.failed);
    await breaks(key, { error: null });
    await breaks(key, { status: 'confirmed', error: null });
  });

  test('holds of a confirmed row without an entry only if the chain undid a final block and the reveal is refused', async () => {
    const { world, failed } = life;
    const key = attestationRow(failed);
    const before = world.records.peek(key) ?? {};
    const confirmed = { status: 'confirmed', error: null, attestationIndex: 1, revealPhase: 'refused' };
    await breaks(key, confirmed);
    await world.records.update({ key, set: confirmed });
    world.chain.undidFinal = true;
    await checkRule(world);
    await breaks(key, { revealPhase: 'final' });
    world.chain.undidFinal = false;
    await world.records.update({ key, put: before });
    await checkRule(world);
  });

  test('does not hold of a row at its end that still counts as in flight', async () => {
    await breaks(attestationRow(life.failed), { inFlight: bob.organizationId });
    await breaks(attestationRow(life.parent), { inFlight: alice.organizationId });
  });

  test('does not hold of a lane behind the chain, or before it', async () => {
    const { world } = life;
    const [state] = await world.lanes();
    const nextNonce = state?.nextNonce ?? 0;
    const key = laneStateRecord(world.lane);
    await breaks(key, { nextNonce: nextNonce - 1, minedNonce: nextNonce - 1, finalNonce: nextNonce - 1 });
    await breaks(key, { nextNonce: nextNonce + 1, minedNonce: nextNonce + 1, finalNonce: nextNonce + 1 });
  });

  test('does not hold of a transaction that was mined under a hash not stored', async () => {
    await breaks(transactionRecord(life.world.lane, 0), { attempts: [] });
  });

  test('does not hold while anything is queued', async () => {
    const { world, parent } = life;
    const key = queuedOperation(world.lane, { ...parent, kind: 'commit' });
    await world.records.update({ key, put: { kind: 'commit' } });
    await expect(checkRule(world)).rejects.toThrow();
    await world.records.update({ key, remove: true });
  });

  test('does not hold of an attestation that nobody asked for', async () => {
    const { world, parent } = await lived();
    await world.records.update({ key: attestationRow(parent), remove: true });
    await expect(checkRule(world)).rejects.toThrow();
  });

  test('holds of a content that the authority attested first', async () => {
    const service = runService(undefined, mode);
    const { attestation } = await service.post(alice, 'a');
    service.world.chain.attest(alice.authorityAddress, attestation.digest);
    expect(await service.untilIdle()).toBe(true);
    await checkRule(service.world);
    await expect(checkConfirmedOnce(service.world, attestation)).rejects.toThrow();
  });
});
