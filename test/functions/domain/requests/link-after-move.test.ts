import { expect, test } from 'vitest';
import type { Caller } from '../../../../functions/domain/organization/api-keys.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import { confirmStep } from '../../../../functions/domain/steps/confirm.ts';
import { committed, mineAndTick, reveal } from '../../../fakes/world/steps.ts';
import { alice, forwarderAddress, makeWorld, type World } from '../../../fakes/world/world.ts';

async function confirmed(world: World, caller: Caller, text: string) {
  const row = await committed(world, caller, text);
  await reveal(world, row);
  await mineAndTick(world, 5);
  await confirmStep(world.services, row);
  return world.row(row);
}

async function moved() {
  const world = makeWorld({ delegates: [forwarderAddress, 'key'] });
  world.chain.delegate(alice.authorityAddress, world.signer.address);
  world.mine(3);
  const old = await confirmed(world, alice, 'old');
  world.chain.delegate(alice.authorityAddress, forwarderAddress);
  world.mine(3);
  const next = await confirmed(world, alice, 'new');
  expect([old.delegateAddress, next.delegateAddress]).toEqual([world.signer.address, forwarderAddress]);
  return { world, old, next };
}

test('an attestation from before its authority chose another delegate is linked through the new one', async () => {
  const { world, old, next } = await moved();
  await linkChild(world.services, old, next.id);
  await mineAndTick(world, 10);
  expect(await world.row(old)).toMatchObject({ linkPhase: 'final', linkDelegateAddress: forwarderAddress });
});

test('while the chain cannot be asked, the link goes by whom the authority delegated to before', async () => {
  const { world, old, next } = await moved();
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
