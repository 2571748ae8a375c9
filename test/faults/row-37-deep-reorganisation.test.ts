import { expect, test } from 'vitest';
import { activateSigner, revokeSigner } from '../../functions/domain/operator/change-signers.ts';
import { resumeLane } from '../../functions/domain/operator/lane-control.ts';
import type { RealGiven } from '../fakes/real/real-settings.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { laneOf, minedCount, routes, type Served, serve } from './world/served.ts';

const deep = 'reorganisation deeper than confirmations';

const manners = [{ drop: true }, {}, { remine: true }];

/** A service with a second key that its forwarder knows, whose chain can be set back to now, below what is final. */
async function begin(route: RealGiven) {
  const service = await serve({ ...route, confirmations: 2 });
  const { chain, contracts, log, addKey, signers } = service.world;
  const keyId = await addKey();
  const address = signers.get(keyId)?.address ?? contracts.forwarderAddress;
  await chain.addOperator(contracts.forwarderAddress, address);
  const height = chain.newest.number;
  return {
    ...service,
    second: { address, keyId },
    /** Sets the chain back; by the second sweep it is noticed. */
    setBack: async (how: (typeof manners)[number]) => {
      await chain.reorganise(chain.newest.number - height, how);
      await service.until(() => log.messages('error').includes(deep), 150);
    },
  };
}

/** Attests and waits until everything is at its end. */
async function confirm({ post, endsByRule }: Served, text: string) {
  for (const caller of [alice, bob]) await post(caller, text);
  await endsByRule();
}

test.each(routes.flatMap((route) => manners.map((how) => ({ route, how }))))(
  'row 37: an idle lane has what is on-chain after a deep reorganisation: %j',
  async ({ route, how }) => {
    const service = await begin(route);
    await confirm(service, 'An article.');
    await service.setBack(how);
    await service.endsByRule();
  },
);

test.each(['draining', 'revoked'] as const)(
  'row 37: so has a lane that is %s, while another is active',
  async (state) => {
    const service = await begin({ forwarder: true });
    const { world, services, second, post, endsByRule, setBack } = service;
    const { chain, signer, delegateAddress, queue } = world;
    await confirm(service, 'of the former key');
    await activateSigner(services, queue.chainId, second);
    if (state === 'revoked') await revokeSigner(services, queue.chainId, signer.address);
    await confirm(service, 'of the new key');
    await setBack({ drop: true });
    if (state === 'revoked') await chain.removeOperator(delegateAddress, signer.address);
    await post(alice, 'afterwards');
    await endsByRule();
  },
);

test.each(routes)('row 37: so has a lane with a lost nonce between its finals: %j', async (route) => {
  const service = await begin(route);
  const { world, services, post, until, endsByRule, setBack } = service;
  const { chain, signer, lane } = world;
  await confirm(service, 'before');
  const nonce = await minedCount(world);
  await post(alice, 'An article.');
  await until(() => chain.mempool.nonces().length === 1);
  await chain.spendNonce(signer.address);
  await until(async () => (await laneOf(world)).paused !== undefined);
  await resumeLane(services, lane);
  await endsByRule();
  await setBack({ drop: true });
  await endsByRule();
  const filling = (await chain.receipts()).find((one) => one.nonce === nonce);
  expect(filling).toMatchObject({ data: '0x', to: signer.address });
});
