import { privateKeyToAddress } from 'viem/accounts';
import { expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import type { Caller } from '../../../../functions/domain/organization/api-keys.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { mineAndTick, stateOf } from '../../../fakes/world/steps.ts';
import { chainId, makeWorld, type World } from '../../../fakes/world/world.ts';

function publisher(world: World, n: number): Caller {
  const authorityAddress = privateKeyToAddress(`0x${String(n + 20).repeat(32)}`);
  world.chain.delegate(authorityAddress, world.delegateAddress);
  const organizationId = `018f0000-0000-7000-8000-0000000001${String(n).padStart(2, '0')}`;
  return { organizationId, authorityAddress, defaultChainId: chainId };
}

async function queued(world: World, caller: Caller, count: number) {
  const rows = [];
  for (let n = 0; n < count; n++) {
    const { attestation } = await world.create(caller, `article ${n} of ${caller.organizationId}`);
    await queueOperation(world.services, attestation, 'commit');
    rows.push(attestation);
  }
  return rows;
}

/** How many transactions later the last organisation's only operation is bound, all others having plenty waiting. */
async function transactionsUntilLast(world: World, organizations: number): Promise<number> {
  const callers = Array.from({ length: organizations }, (_, n) => publisher(world, n));
  world.mine(world.chain.settings.confirmations);
  for (const caller of callers.slice(0, -1)) await queued(world, caller, 30);
  await mineAndTick(world, 2);
  const { nextNonce } = await stateOf(world);
  const [late] = await queued(world, callers.at(-1) as Caller, 1);
  await mineAndTick(world, 16);
  const { commitTxHash } = await world.row(late as Attestation);
  const nonce = world.chain.receipts().find(({ hash }) => hash === commitTxHash)?.nonce;
  return nonce === undefined ? Number.POSITIVE_INFINITY : nonce - nextNonce + 1;
}

test.each([
  { maxInFlight: 1, organizations: 2, most: 2 },
  { maxInFlight: 4, organizations: 2, most: 2 },
  { maxInFlight: 4, organizations: 5, most: 5 },
  { maxInFlight: 1, organizations: 9, most: 9 },
])('as the key, $organizations organisations have their turns, $maxInFlight in flight', async (given) => {
  const { maxInFlight, organizations, most } = given;
  expect(await transactionsUntilLast(makeWorld({ maxInFlight }), organizations)).toBeLessThanOrEqual(most);
});

test.each([
  { organizations: 2, most: 2 },
  { organizations: 12, most: 2 },
])(
  'through a forwarder, $organizations organisations have their turns, 8 calls a transaction',
  async (given) => {
    const world = makeWorld({ forwarder: true, maxInFlight: 1 });
    world.chain.gasPerCall = 1_700_000n;
    expect(await transactionsUntilLast(world, given.organizations)).toBeLessThanOrEqual(given.most);
  },
);
