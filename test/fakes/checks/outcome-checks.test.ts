import { beforeAll, describe, expect, test } from 'vitest';
import { attestationRow } from '../../../functions/domain/attestation/attestation-records.ts';
import { laneStateRecord } from '../../../functions/domain/lane/lane-records.ts';
import { queuedOperation } from '../../../functions/domain/lane/queue-records.ts';
import { transactionRecord } from '../../../functions/domain/lane/transaction-records.ts';
import { signedBytes } from '../../../functions/domain/raw-transaction.ts';
import type { Fields, Key } from '../../../functions/domain/records.ts';
import { linkChild } from '../../../functions/domain/requests/link-child.ts';
import { runService } from '../world/running-service.ts';
import { alice, bob } from '../world/world.ts';
import { checkConfirmedOnce, checkRule, watchSends } from './outcome-checks.ts';

test.fails('watchSends finds a transaction that is not stored', async () => {
  const { world } = runService();
  watchSends(world);
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n, gasLimit: 1_000_000n };
  const to = world.signer.address;
  const transfer = { chainId: world.chain.settings.chainId, nonce: 0, to, data: '0x', ...fees } as const;
  const { signature } = await world.signer.sign(transfer);
  await world.chain.send(signedBytes(transfer, signature));
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
    return { world, parent: attestationRow(parent), failed: attestationRow(failed) };
  }

  let life: Awaited<ReturnType<typeof lived>>;

  beforeAll(async () => {
    life = await lived();
  });

  /** Checks that the rule holds without a change of a record and fails with it; the change is undone. */
  async function breaks(key: Key, set: Fields): Promise<void> {
    const { world } = life;
    const before = world.records.peek(key) ?? {};
    await world.records.update({ key, set });
    await expect(checkRule(world)).rejects.toThrow();
    await world.records.update({ key, put: before });
    await checkRule(world);
  }

  test('holds without faults', async () => {
    await checkRule(life.world);
    expect(life.world.records.peek(life.failed)?.status).toBe('failed');
  });

  test.each<[what: string, of: 'parent' | 'failed', set: Fields]>([
    ['shows another index', 'parent', { attestationIndex: 7 }],
    ['shows another time', 'parent', { confirmedAt: '2020-01-01T00:00:00.000Z' }],
    ['shows another hash', 'parent', { revealTxHash: '0x00' }],
    ['says failed, though it is on the chain', 'parent', { status: 'failed', error: 'why' }],
    ['waits', 'parent', { status: 'committed' }],
    ['shows another link', 'parent', { childLinkTxHash: '0x00' }],
    ['has a newer link intent', 'parent', { childDigest: `0x${'ab'.repeat(32)}` }],
    ['still counts as in flight, confirmed', 'parent', { inFlight: alice.organizationId }],
    ['still counts as in flight, failed', 'failed', { inFlight: bob.organizationId }],
    ['does not say why it failed', 'failed', { error: null }],
    ['says confirmed, though it failed', 'failed', { status: 'confirmed', error: null }],
  ])('does not hold of a row that %s', (_, of, set) => breaks(life[of], set));

  test('holds for a confirmed row without an entry only if the chain undid a final block and the reveal is refused', async () => {
    const { world, failed: key } = life;
    const before = world.records.peek(key) ?? {};
    const confirmed = { status: 'confirmed', error: null, attestationIndex: 1, revealPhase: 'refused' };
    await breaks(key, confirmed);
    await world.records.update({ key, set: confirmed });
    world.chain.undidFinal = true;
    await breaks(key, { revealPhase: 'final' });
    world.chain.undidFinal = false;
    await world.records.update({ key, put: before });
  });

  test('fails for a lane behind or ahead of the chain, and for a transaction mined under a hash not stored', async () => {
    const { world } = life;
    const [state] = await world.lanes();
    for (const nonce of [Number(state?.nextNonce) - 1, Number(state?.nextNonce) + 1])
      await breaks(laneStateRecord(world.lane), { nextNonce: nonce, minedNonce: nonce, finalNonce: nonce });
    await breaks(transactionRecord(world.lane, 0), { attempts: [] });
  });

  test('fails while anything is queued', async () => {
    const { world } = life;
    const { organizationId } = alice;
    const key = queuedOperation(world.lane, { organizationId, id: 'any', kind: 'commit' });
    await world.records.update({ key, put: { kind: 'commit' } });
    await expect(checkRule(world)).rejects.toThrow();
    await world.records.update({ key, remove: true });
  });

  test('fails for an attestation that nobody requested', async () => {
    const { world, parent } = await lived();
    await world.records.update({ key: parent, remove: true });
    await expect(checkRule(world)).rejects.toThrow();
  });

  test('holds for content that the authority attested first', async () => {
    const service = runService(undefined, mode);
    const { attestation } = await service.post(alice, 'a');
    service.world.chain.attest(alice.authorityAddress, attestation.digest);
    expect(await service.untilIdle()).toBe(true);
    await checkRule(service.world);
    await expect(checkConfirmedOnce(service.world, attestation)).rejects.toThrow();
  });
});
