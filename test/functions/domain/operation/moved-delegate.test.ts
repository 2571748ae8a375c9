import type { Address } from 'viem';
import { expect, test } from 'vitest';
import { AttestationFailedError } from '../../../../functions/domain/errors.ts';
import { delegationReason } from '../../../../functions/domain/operation/revert-diagnosis.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import { commitStep } from '../../../../functions/domain/steps/commit.ts';
import { attested, committed, mineAndTick, reveal } from '../../../fakes/world/steps.ts';
import { alice, chainId, forwarderAddress, makeWorld, type World } from '../../../fakes/world/world.ts';

/** A chain that serves both delegates, and which of them the authority has and which it then chooses. */
function bothServed(former: 'key' | 'forwarder') {
  const world = makeWorld({ delegates: ['key', forwarderAddress] });
  const key = world.signer.address;
  const [from, to] = former === 'key' ? [key, forwarderAddress] : [forwarderAddress, key];
  world.chain.delegate(alice.authorityAddress, from);
  world.mine(3);
  return { world, from, to };
}

const movedText = (from: Address, to: Address, again: string) =>
  `the authority moved its delegation on chain ${chainId} from ${from} to ${to}; ${again}`;

/** What fails is said, and the same content is accepted again at once. */
async function expectMoved(world: World, row: Parameters<World['row']>[0], from: Address, to: Address) {
  expect(await world.row(row)).toMatchObject({
    status: 'failed',
    error: movedText(from, to, 'submit the content again'),
  });
  const again = await world.create(alice, 'An article.');
  expect(again).toMatchObject({ accepted: true, attestation: { delegateAddress: to } });
}

const choices = ['key', 'forwarder'] as const;

test.each(choices)('an authority that moved from the %s before the commit is told so', async (former) => {
  const { world, from, to } = bothServed(former);
  const { attestation } = await world.create(alice, 'An article.');
  world.chain.delegate(alice.authorityAddress, to);
  world.mine(3);
  const { organizationId, id } = attestation;
  const commit = commitStep(world.services, { organizationId, id, taskToken: 'commit' });
  await expect(commit).rejects.toThrow(AttestationFailedError);
  await expectMoved(world, attestation, from, to);
});

test.each(choices)('an authority that moved from the %s before the reveal is told so', async (former) => {
  const { world, from, to } = bothServed(former);
  const row = await committed(world, alice, 'An article.');
  world.chain.delegate(alice.authorityAddress, to);
  await reveal(world, row);
  await mineAndTick(world, 4);
  await expectMoved(world, row, from, to);
});

test('an authority that moved to a forwarder that is not served has to delegate again', async () => {
  const world = makeWorld();
  const row = await committed(world, alice, 'An article.');
  world.chain.delegate(alice.authorityAddress, forwarderAddress);
  await reveal(world, row);
  await mineAndTick(world, 4);
  expect((await world.row(row)).error).toMatch(/is not active; delegate again and submit the content again$/);
});

test('an authority that moved to the key where it is not served has to delegate again', async () => {
  const world = makeWorld({ forwarder: true });
  const row = await committed(world, alice, 'An article.');
  world.chain.delegate(alice.authorityAddress, world.signer.address);
  await reveal(world, row);
  await mineAndTick(world, 4);
  expect((await world.row(row)).error).toMatch(/is not active; delegate again and submit the content again$/);
});

test("it is the delegates of the attestation's own registry that the authority may move to", async () => {
  const { world, from, to } = bothServed('key');
  const { attestation } = await world.create(alice, 'An article.');
  const { registryAddress, delegates, ...chain } = world.chain.settings;
  const ofNewer: Address = '0x3333333333333333333333333333333333333333';
  const settings = {
    ...chain,
    registryAddress: ofNewer,
    delegates: [ofNewer],
    formerRegistries: [{ registryAddress, delegates }],
  };
  const reasonOf = (chosen: Address) =>
    delegationReason(settings, attestation, 'commit', { chosen, own: world.signer.address });
  expect(reasonOf(to)).toBe(movedText(from, to, 'submit the content again'));
  expect(reasonOf(ofNewer)).toContain('is not active; delegate again');
});

test('a link that its authority left behind says what to post again', async () => {
  const { world, from, to } = bothServed('key');
  const parent = await attested(world, alice, 'parent');
  const child = await attested(world, alice, 'child');
  await linkChild(world.services, parent, child.id);
  world.chain.delegate(alice.authorityAddress, to);
  await mineAndTick(world, 6);
  const { linkPhase, childLinkError } = await world.row(parent);
  expect([linkPhase, childLinkError]).toEqual(['refused', movedText(from, to, 'post the link again')]);
});
