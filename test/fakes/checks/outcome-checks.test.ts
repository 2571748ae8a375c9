import { beforeAll, describe, expect, test } from 'vitest';
import { attestationRow } from '../../../functions/domain/attestation/attestation-records.ts';
import { laneStateRecord } from '../../../functions/domain/lane/lane-records.ts';
import { queuedOperation } from '../../../functions/domain/lane/queue-records.ts';
import { transactionRecord } from '../../../functions/domain/lane/transaction-records.ts';
import { signedBytes } from '../../../functions/domain/raw-transaction.ts';
import type { Change, Fields } from '../../../functions/domain/records.ts';
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
  async function breaks(change: Change): Promise<void> {
    const { records } = life.world;
    const before = records.all();
    await records.update(change);
    await expect(checkRule(life.world)).rejects.toThrow();
    records.restore(before);
    await checkRule(life.world);
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
  ])('does not hold of a row that %s', (_, of, set) => breaks({ key: life[of], set }));

  test('holds for a confirmed row without an entry only if the chain undid a final block and the reveal is refused', async () => {
    const { world, failed: key } = life;
    const before = world.records.all();
    const confirmed = { status: 'confirmed', error: null, attestationIndex: 1, revealPhase: 'refused' };
    await breaks({ key, set: confirmed });
    await world.records.update({ key, set: confirmed });
    world.chain.undidFinal = true;
    await breaks({ key, set: { revealPhase: 'final' } });
    world.chain.undidFinal = false;
    world.records.restore(before);
  });

  test('fails for a lane behind or ahead of the chain, a mined hash not stored, an operation queued, and an attestation that nobody requested', async () => {
    const { lane, lanes } = life.world;
    const [state] = await lanes();
    for (const nonce of [Number(state?.nextNonce) - 1, Number(state?.nextNonce) + 1])
      await breaks({
        ...{ key: laneStateRecord(lane), set: { nextNonce: nonce, minedNonce: nonce, finalNonce: nonce } },
      });
    await breaks({ key: transactionRecord(lane, 0), set: { attempts: [] } });
    const { organizationId } = alice;
    const queued = queuedOperation(lane, { organizationId, id: 'any', kind: 'commit' });
    await breaks({ key: queued, put: { kind: 'commit' } });
    await breaks({ key: life.parent, remove: true });
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
