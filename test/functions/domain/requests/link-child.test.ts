import { describe, expect, test } from 'vitest';
import type { Attestation, AttestationKey } from '../../../../functions/domain/attestation/attestation.ts';
import {
  AttestationMissingError,
  AttestationUnconfirmedError,
  ChildMissingError,
  ChildSameError,
} from '../../../../functions/domain/errors.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import type { Services } from '../../../../functions/domain/services.ts';
import { failAttestation } from '../../../../functions/domain/steps/fail.ts';
import { interleave } from '../../../fakes/ports/interleave.ts';
import { confirmOne, mineAndTick, selfAttest, tick } from '../../../fakes/world/steps.ts';
import { alice, bob, forwarderAddress, makeWorld } from '../../../fakes/world/world.ts';

const unknownId = '018f0000-0000-7000-8000-0000000000ff';

async function makeFamily() {
  const world = makeWorld();
  const parent = await selfAttest(world, alice, 'the old article');
  const first = (await world.create(alice, 'the new article')).attestation;
  world.clock.advance(1);
  const second = (await world.create(alice, 'the newest article')).attestation;
  return {
    ...{ world, parent, first, second },
    link: (child: Attestation) => linkChild(world.services, parent, child.id),
    onChain: () => world.chain.state.entry(parent.attestationIndex ?? 0).childDigest,
  };
}

test('a link is refused for a missing attestation, and then for an unconfirmed one', async () => {
  const { world, parent, first, second } = await makeFamily();
  const theirs = await selfAttest(world, bob, 'their article');
  const unknown = { ...parent, id: unknownId };
  const link = (key: AttestationKey, childId: string) => linkChild(world.services, key, childId);
  await expect(link(unknown, unknownId)).rejects.toThrow(ChildSameError);
  await expect(link(unknown, theirs.id)).rejects.toThrow(AttestationMissingError);
  await expect(link({ ...parent, organizationId: bob.organizationId }, theirs.id)).rejects.toThrow(
    AttestationMissingError,
  );
  await expect(link(parent, theirs.id)).rejects.toThrow(ChildMissingError);
  await expect(link(first, unknownId)).rejects.toThrow(ChildMissingError);
  await expect(link(first, second.id)).rejects.toThrow(new AttestationUnconfirmedError('pending'));
});

describe('a link intent', () => {
  test('is queued only once and shows its hash when it is mined, and the parent stays confirmed', async () => {
    const { world, parent, first, link, onChain } = await makeFamily();
    const { attestation, queued } = await link(first);
    expect(queued).toBe(true);
    expect(attestation).toMatchObject({
      ...{ status: 'confirmed', childAttestationId: first.id, childLinkTxHash: null },
    });
    expect(await world.row(parent)).toEqual(attestation);
    expect(world.executions.started.at(-1)).toBe(`${world.lane}-1`);
    expect((await link(first)).queued).toBe(true);
    await tick(world);
    expect((await link(first)).queued).toBe(true);
    await mineAndTick(world);
    expect((await link(first)).queued).toBe(false);
    expect(await world.row(parent)).toMatchObject({
      ...{ childLinkTxHash: world.chain.receipts().at(-1)?.hash, linkPhase: 'mined' },
    });
    await mineAndTick(world, 3);
    expect((await link(first)).queued).toBe(false);
    expect(await world.row(parent)).toMatchObject({ status: 'confirmed', linkPhase: 'final' });
    expect(await world.owes()).toBe(false);
    await mineAndTick(world, 5);
    expect([world.chain.receipts().length, onChain()]).toEqual([1, first.digest]);
  });

  test.each([
    { when: 'bound', blocks: 0 },
    { when: 'mined', blocks: 1 },
    { when: 'final', blocks: 4 },
  ])(
    'that replaces a $when link prevails, with a null hash until its own transaction is mined',
    async ({ blocks }) => {
      const { world, parent, first, second, link, onChain } = await makeFamily();
      await link(first);
      await tick(world);
      await mineAndTick(world, blocks);
      expect((await link(second)).attestation.childLinkTxHash).toBeNull();
      await tick(world);
      for (let block = 0; block < 10; block++) {
        const row = await world.row(parent);
        expect(row.childAttestationId).toBe(second.id);
        if (row.childLinkTxHash !== null) expect(onChain()).toBe(second.digest);
        await mineAndTick(world);
      }
      const hashes = world.chain.receipts().map(({ hash }) => hash);
      expect(hashes).toHaveLength(2);
      expect((await world.row(parent)).childLinkTxHash).toBe(hashes[1]);
      expect(onChain()).toBe(second.digest);
      expect(await world.owes()).toBe(false);
    },
  );

  test('that returns to the first child while its link is bound prevails', async () => {
    const { world, parent, first, second, link, onChain } = await makeFamily();
    await link(first);
    await tick(world);
    await link(second);
    await link(first);
    await mineAndTick(world, 10);
    expect(onChain()).toBe(first.digest);
    expect(await world.row(parent)).toMatchObject({ linkPhase: 'final', childAttestationId: first.id });
    expect((await world.row(parent)).childLinkTxHash).not.toBeNull();
  });

  test('that prevails among concurrent ones, in any order, is the same in row and registry', async () => {
    for (let seed = 0; seed < 60; seed++) {
      const { world, parent, first, second, onChain } = await makeFamily();
      const link = (child: Attestation) => (services: Services) => linkChild(services, parent, child.id);
      await interleave(world.services, seed, [first, second, first].map(link));
      await tick(world);
      await mineAndTick(world, 10);
      const row = await world.row(parent);
      expect(onChain()).toBe(row.childDigest);
      expect([first.id, second.id]).toContain(row.childAttestationId);
      expect(row.childLinkTxHash).not.toBeNull();
      expect(await world.owes()).toBe(false);
    }
  });

  test('that is accepted last prevails against a concurrent settlement, in any order', async () => {
    for (let seed = 0; seed < 60; seed++) {
      const { world, parent, first, second, link, onChain } = await makeFamily();
      await link(first);
      await tick(world);
      world.mine(1 + (seed % 3));
      await interleave(world.services, seed, [
        (services) => tick({ ...world, services }),
        (services) => linkChild(services, parent, second.id),
      ]);
      await tick(world);
      await mineAndTick(world, 10);
      expect(onChain()).toBe(second.digest);
      expect(await world.row(parent)).toMatchObject({ linkPhase: 'final', childDigest: second.digest });
      expect(await world.owes()).toBe(false);
    }
  });

  test('survives a failed start of the lane', async () => {
    const { world, parent, first, link } = await makeFamily();
    world.executions.startFailure = new Error('throttled');
    expect((await link(first)).queued).toBe(true);
    expect(await world.owes()).toBe(true);
    expect((await world.row(parent)).linkPhase).toBe('queued');
  });

  test('is still sent if it was queued just before a change of the delegate in the settings', async () => {
    const { world, first, link, onChain } = await makeFamily();
    await tick(world);
    await link(first);
    Object.assign(world.chain.settings, { delegates: [forwarderAddress] });
    await mineAndTick(world, 5);
    expect(onChain()).toBe(first.digest);
    expect(await world.owes()).toBe(false);
  });

  test('waits if the settings lost its delegate before the lane first ran, until they have it again', async () => {
    const { world, parent, first, link, onChain } = await makeFamily();
    await link(first);
    Object.assign(world.chain.settings, { delegates: [forwarderAddress] });
    await mineAndTick(world, 5);
    expect((await world.row(parent)).linkPhase).toBe('queued');
    Object.assign(world.chain.settings, { delegates: [forwarderAddress, 'key'] });
    await mineAndTick(world, 5);
    expect(onChain()).toBe(first.digest);
    expect(await world.owes()).toBe(false);
  });

  test('may name a child of any status, even failed', async () => {
    const { world, first, link } = await makeFamily();
    await failAttestation(world.services, first, 'some reason');
    expect((await link(first)).attestation.childDigest).toBe(first.digest);
  });
});

describe('a refused link', () => {
  test('shows the reason, keeps the parent confirmed, and is queued again when posted again', async () => {
    const { world, parent, first, link, onChain } = await makeFamily();
    world.chain.revokeDelegation(alice.authorityAddress);
    world.mine(3);
    await link(first);
    await tick(world);
    const refused = await world.row(parent);
    expect(refused).toMatchObject({ status: 'confirmed', error: null, linkPhase: 'refused' });
    expect(refused.childLinkError).toContain(`delegation of ${alice.authorityAddress}`);
    expect(refused.childLinkTxHash).toBeNull();
    expect(await world.owes()).toBe(false);

    world.chain.delegate(alice.authorityAddress, world.signer.address);
    const { attestation, queued } = await link(first);
    expect(queued).toBe(true);
    expect(attestation).not.toHaveProperty('childLinkError');
    expect(await world.row(parent)).not.toHaveProperty('childLinkError');
    await tick(world);
    await mineAndTick(world, 4);
    expect(onChain()).toBe(first.digest);
  });

  test('is reported after a revert only when the revert is final', async () => {
    const { world, parent, first, link, onChain } = await makeFamily();
    await link(first);
    await tick(world);
    world.chain.revokeDelegation(alice.authorityAddress);
    await tick(world);
    expect(world.chain.receipts().map(({ succeeded }) => succeeded)).toEqual([false]);
    expect(await world.row(parent)).toMatchObject({ linkPhase: 'queued', childLinkTxHash: null });
    await mineAndTick(world, 3);
    const row = await world.row(parent);
    expect(row).toMatchObject({ linkPhase: 'refused', childLinkTxHash: null, status: 'confirmed' });
    expect(row.childLinkError).toContain('is not active');
    expect(onChain()).toBeUndefined();
  });

  test('is replaced by a newer link intent, which is queued', async () => {
    const { world, parent, first, second, link, onChain } = await makeFamily();
    await link(first);
    await tick(world);
    world.chain.revokeDelegation(alice.authorityAddress);
    await link(second);
    world.chain.delegate(alice.authorityAddress, world.signer.address);
    await mineAndTick(world, 12);
    expect(onChain()).toBe(second.digest);
    expect(await world.row(parent)).toMatchObject({ linkPhase: 'final' });
  });
});

async function makeMoved() {
  const world = makeWorld({ delegates: [forwarderAddress, 'key'] });
  world.chain.delegate(alice.authorityAddress, world.signer.address);
  world.mine(3);
  const old = await confirmOne(world, alice, 'old');
  world.chain.delegate(alice.authorityAddress, forwarderAddress);
  world.mine(3);
  const next = await confirmOne(world, alice, 'new');
  expect([old.delegateAddress, next.delegateAddress]).toEqual([world.signer.address, forwarderAddress]);
  return { world, old, next };
}

test('an attestation is linked through the delegate that its authority chose last', async () => {
  const { world, old, next } = await makeMoved();
  await linkChild(world.services, old, next.id);
  await mineAndTick(world, 10);
  expect(await world.row(old)).toMatchObject({ linkPhase: 'final', linkDelegateAddress: forwarderAddress });
});

test('a link uses the last known delegate while the chain cannot be reached', async () => {
  const { world, old, next } = await makeMoved();
  world.chain.unreachable = true;
  await linkChild(world.services, old, next.id);
  world.chain.unreachable = false;
  expect(await world.row(old)).toMatchObject({ linkDelegateAddress: world.signer.address });
  await mineAndTick(world, 10);
  const { linkPhase, childLinkError } = await world.row(old);
  expect([linkPhase, childLinkError]).toEqual(['refused', expect.stringContaining('post the link again')]);
  await linkChild(world.services, old, next.id);
  await mineAndTick(world, 10);
  expect((await world.row(old)).linkPhase).toBe('final');
});
