import type { Address } from 'viem';
import { expect, test } from 'vitest';
import { AttestationFailedError, NotYetFinalError } from '../../../../functions/domain/errors.ts';
import { listOperations } from '../../../../functions/domain/lane/queue-records.ts';
import { delegationReason } from '../../../../functions/domain/operation/revert-diagnosis.ts';
import { revokeSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import { commitStep } from '../../../../functions/domain/steps/commit.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { commitOne, mineAndTick, reveal, selfAttest, startCommit, tick } from '../../../fakes/world/steps.ts';
import { alice, chainId, forwarderAddress, makeWorld, type World } from '../../../fakes/world/world.ts';

/** Makes a world with both delegates. @returns also the authority's delegate, and the one that it chooses later */
function serveBoth(former: 'key' | 'forwarder') {
  const world = makeWorld({ delegates: ['key', forwarderAddress] });
  const key = world.signer.address;
  const [from, to] = former === 'key' ? [key, forwarderAddress] : [forwarderAddress, key];
  world.chain.delegate(alice.authorityAddress, from);
  world.mine(3);
  return { world, from, to };
}

const movedText = (from: Address, to: Address, again: string) =>
  `the authority moved its delegation on chain ${chainId} from ${from} to ${to}; ${again}`;

/** Checks that the row contains the reason, and that the same content is accepted again at once. */
async function expectMoved(world: World, row: Parameters<World['row']>[0], from: Address, to: Address) {
  expect(await world.row(row)).toMatchObject({
    status: 'failed',
    error: movedText(from, to, 'submit the content again'),
  });
  const again = await world.create(alice, 'An article.');
  expect(again).toMatchObject({ accepted: true, attestation: { delegateAddress: to } });
}

const choices = ['key', 'forwarder'] as const;

test.each(choices)('the error shows that an authority left the %s before the commit', async (former) => {
  const { world, from, to } = serveBoth(former);
  const { attestation } = await world.create(alice, 'An article.');
  world.chain.delegate(alice.authorityAddress, to);
  world.mine(3);
  const commit = commitStep(world.services, { ...attestation, taskToken: 'commit' });
  await expect(commit).rejects.toThrow(AttestationFailedError);
  await expectMoved(world, attestation, from, to);
});

test.each(choices)('the error shows that an authority left the %s before the reveal', async (former) => {
  const { world, from, to } = serveBoth(former);
  const row = await commitOne(world, alice, 'An article.');
  world.chain.delegate(alice.authorityAddress, to);
  await reveal(world, row);
  await mineAndTick(world, 4);
  await expectMoved(world, row, from, to);
});

test.each(choices)(
  'the error asks an authority that left the %s for an unserved address to delegate again',
  async (former) => {
    const world = makeWorld({ forwarder: former === 'forwarder' });
    const row = await commitOne(world, alice, 'An article.');
    world.chain.delegate(alice.authorityAddress, former === 'key' ? forwarderAddress : world.signer.address);
    await reveal(world, row);
    await mineAndTick(world, 4);
    expect((await world.row(row)).error).toMatch(
      /is not active; delegate again and submit the content again$/,
    );
  },
);

test('the error reports a move only between the delegates of the attestation’s own registry', async () => {
  const { world, from, to } = serveBoth('key');
  const { attestation } = await world.create(alice, 'An article.');
  const { registryAddress, delegates, ...chain } = world.chain.settings;
  const newerAddress: Address = '0x3333333333333333333333333333333333333333';
  const settings = {
    ...chain,
    registryAddress: newerAddress,
    delegates: [newerAddress],
    formerRegistries: [{ registryAddress, delegates }],
  };
  const reasonOf = (actual: Address) =>
    delegationReason(settings, attestation, 'commit', { actual, key: world.signer.address });
  expect(reasonOf(to)).toBe(movedText(from, to, 'submit the content again'));
  expect(reasonOf(newerAddress)).toContain('is not active; delegate again');
});

test('the error of a link whose authority moved its delegation advises the publisher to post the link again', async () => {
  const { world, from, to } = serveBoth('key');
  const parent = await selfAttest(world, alice, 'parent');
  const child = await selfAttest(world, alice, 'child');
  await linkChild(world.services, parent, child.id);
  world.chain.delegate(alice.authorityAddress, to);
  await mineAndTick(world, 6);
  const { linkPhase, childLinkError } = await world.row(parent);
  expect([linkPhase, childLinkError]).toEqual(['refused', movedText(from, to, 'post the link again')]);
});

test('a reveal that a revoked key cannot send fails only when its commit cannot be sent again', async () => {
  const world = makeWorld({ confirmations: 8, revealDelaySeconds: 4 });
  const row = await startCommit(world, alice);
  await mineAndTick(world, 4);
  await revokeSigner(world.services, chainId, world.signer.address, { force: true });
  await reveal(world, row);
  await tick(world);
  expect(await world.row(row)).toMatchObject({
    ...{ status: 'committed', commitPhase: 'mined', revealPhase: 'queued' },
  });
  world.chain.reorganize(4, { drop: true });
  await tick(world);
  await mineAndTick(world);
  expect(minedCalls(world)).toEqual(['commit']);
  expect((await world.row(row)).status).toBe('committed');
  await mineAndTick(world, 8);
  expect(await world.row(row)).toMatchObject({
    ...{ status: 'failed', commitPhase: 'final', revealPhase: 'refused' },
    error: expect.stringContaining('was revoked'),
  });
});

const { authorityAddress } = alice;

const delegateAgain = ({ chain, delegateAddress }: World) =>
  chain.delegate(authorityAddress, delegateAddress);

/** Makes the delegation so new that the final block does not show it. */
function delegateNewly(world: World): void {
  world.chain.revokeDelegation(authorityAddress);
  world.mine(world.chain.settings.confirmations);
  delegateAgain(world);
  world.clock.moveTo(new Date(world.chain.newest.timestamp * 1000));
}

test('a final block from before the link request does not refuse it', async () => {
  const world = makeWorld({ confirmations: 8 });
  const parent = await selfAttest(world, alice, 'the old article');
  const { attestation: child } = await world.create(alice, 'the new article');
  delegateNewly(world);
  await linkChild(world.services, parent, child.id);
  world.chain.revokeDelegation(authorityAddress);
  await tick(world);
  expect((await world.row(parent)).linkPhase).toBe('queued');
  expect(await listOperations(world, world.queue, 10)).toHaveLength(1);
  delegateAgain(world);
  await mineAndTick(world, 12);
  expect(await world.row(parent)).toMatchObject({ linkPhase: 'final' });
});

test('a final block from before the request does not refuse the attestation', async () => {
  const world = makeWorld({ confirmations: 8 });
  delegateNewly(world);
  const { attestation } = await world.create(alice, 'An article.');
  const enter = () => commitStep(world.services, { ...attestation, taskToken: 'commit' });
  world.chain.revokeDelegation(authorityAddress);
  await expect(enter()).rejects.toThrow(NotYetFinalError);
  expect((await world.row(attestation)).status).toBe('pending');
  delegateAgain(world);
  await enter();
  await mineAndTick(world);
  expect((await world.row(attestation)).status).toBe('committed');
});
