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
import { checkConfirmedOnce, checkOutcomes, watchSends } from './outcome-checks.ts';

test.fails('`watchSends` fails for a transaction that is not stored', async () => {
  const { world } = runService();
  watchSends(world);
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n, gasLimit: 1_000_000n };
  const to = world.signer.address;
  const transfer = { chainId: world.chain.settings.chainId, nonce: 0, to, data: '0x', ...fees } as const;
  const { signature } = await world.signer.sign(transfer);
  await world.chain.send(signedBytes(transfer, signature));
});

describe.each([{ forwarder: false }, { forwarder: true }])('the rule, %o', (mode) => {
  /** Makes two attestations of alice, one linked to the other, and a failed one of bob. */
  async function runScenario() {
    const service = runService(undefined, mode);
    const { world } = service;
    const posts = ['a', 'b'].map((text) => service.post(alice, text));
    const [parent, child] = (await Promise.all(posts)).map(({ attestation }) => attestation);
    if (!parent || !child) throw new Error('the service did not create two attestations');
    const { attestation: failed } = await service.post(bob, 'c');
    world.chain.revokeDelegation(bob.authorityAddress);
    expect(await service.untilIdle()).toBe(true);
    await linkChild(service.services, parent, child.id);
    expect(await service.untilIdle()).toBe(true);
    return { world, parent: attestationRow(parent), failed: attestationRow(failed) };
  }

  let scenario: Awaited<ReturnType<typeof runScenario>>;

  beforeAll(async () => {
    scenario = await runScenario();
  });

  /** Checks that the rule fails with a change of a record and holds without it, and undoes the change. */
  async function expectBroken(change: Change): Promise<void> {
    const { records } = scenario.world;
    const before = records.all();
    await records.update(change);
    await expect(checkOutcomes(scenario.world)).rejects.toThrow();
    records.restore(before);
    await checkOutcomes(scenario.world);
  }

  test('holds without faults', async () => {
    await checkOutcomes(scenario.world);
    expect(scenario.world.records.peek(scenario.failed)?.status).toBe('failed');
  });

  test.each<[description: string, row: 'parent' | 'failed', set: Fields]>([
    ['shows another index', 'parent', { attestationIndex: 7 }],
    ['shows another time', 'parent', { confirmedAt: '2020-01-01T00:00:00.000Z' }],
    ['shows another hash', 'parent', { revealTxHash: '0x00' }],
    ['is failed although it is on the chain', 'parent', { status: 'failed', error: 'why' }],
    ['still waits', 'parent', { status: 'committed' }],
    ['shows another link', 'parent', { childLinkTxHash: '0x00' }],
    ['has a newer link intent', 'parent', { childDigest: `0x${'ab'.repeat(32)}` }],
    ['is confirmed and still counts as in flight', 'parent', { inFlight: alice.organizationId }],
    ['is failed and still counts as in flight', 'failed', { inFlight: bob.organizationId }],
    ['is failed without an error', 'failed', { error: null }],
    ['is confirmed although it failed', 'failed', { status: 'confirmed', error: null }],
  ])('does not hold for a row that %s', (_, row, set) => expectBroken({ key: scenario[row], set }));

  test('holds for a confirmed row without an entry only if the chain undid a final block and the reveal is refused', async () => {
    const { world, failed: key } = scenario;
    const before = world.records.all();
    const confirmed = { status: 'confirmed', error: null, attestationIndex: 1, revealPhase: 'refused' };
    await expectBroken({ key, set: confirmed });
    await world.records.update({ key, set: confirmed });
    world.chain.undidFinal = true;
    await expectBroken({ key, set: { revealPhase: 'final' } });
    world.chain.undidFinal = false;
    world.records.restore(before);
  });

  test('does not hold with a lane behind or ahead of the chain, an unstored mined hash, a queued operation, or an attestation that nobody requested', async () => {
    const { lane, lanes } = scenario.world;
    const [state] = await lanes();
    for (const nonce of [Number(state?.nextNonce) - 1, Number(state?.nextNonce) + 1])
      await expectBroken({
        ...{ key: laneStateRecord(lane), set: { nextNonce: nonce, minedNonce: nonce, finalNonce: nonce } },
      });
    await expectBroken({ key: transactionRecord(lane, 0), set: { attempts: [] } });
    const { organizationId } = alice;
    const queued = queuedOperation(lane, { organizationId, id: 'any', kind: 'commit' });
    await expectBroken({ key: queued, put: { kind: 'commit' } });
    await expectBroken({ key: scenario.parent, remove: true });
  });

  test('holds for content that the authority attested first, but `checkConfirmedOnce` fails', async () => {
    const service = runService(undefined, mode);
    const { attestation } = await service.post(alice, 'a');
    service.world.chain.attest(alice.authorityAddress, attestation.digest);
    expect(await service.untilIdle()).toBe(true);
    await checkOutcomes(service.world);
    await expect(checkConfirmedOnce(service.world, attestation)).rejects.toThrow();
  });
});
