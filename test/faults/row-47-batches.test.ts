import { attestationRegistryAbi } from 'imprimatur-contracts/attestation-registry-abi';
import { expect, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { pauseLane, resumeLane } from '../../functions/domain/operator/lane-control.ts';
import { membersOf } from '../fakes/chain/batch-model.ts';
import { decodeCall } from '../fakes/chain/call-decoder.ts';
import { callsInside } from '../fakes/chain/contracts-model.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { queued, routes, type Served, serve } from './world/served.ts';

const size = 6;

/** A batch of six, the first and the fourth bob's, that is committed to. */
async function committed(service: Served): Promise<Attestation[]> {
  const { world, services, post, until } = service;
  await post(alice, 'the first, which opens the lane');
  await service.endsByRule();
  await pauseLane(services, world.lane);
  const posted: Attestation[] = [];
  for (let n = 0; n < size; n++) posted.push((await post(n % 3 ? alice : bob, `article ${n}`)).attestation);
  await until(async () => (await queued(world)).length === size);
  await resumeLane(services, world.lane);
  const current = () => Promise.all(posted.map(world.row));
  await until(async () => (await current()).every(({ commitPhase }) => commitPhase === 'final'));
  const rows = await current();
  expect(rows.map(({ batch }) => batch?.position).sort()).toEqual([0, 1, 2, 3, 4, 5]);
  return rows;
}

/** The reveals of batches in the chain's blocks: how many members each shows, withholds, and had skipped. */
async function reveals({ world: { chain, contracts } }: Served) {
  const mined = (await chain.receipts()).filter(({ succeeded }) => succeeded);
  return mined.flatMap(({ to, data, failedPositions }) => {
    const [call = '0x'] = to === contracts.forwarderAddress ? callsInside(data) : [data];
    const { functionName, args } = decodeCall(attestationRegistryAbi, call);
    if (functionName !== 'revealBatch') return [];
    const withheld = membersOf(args).filter((member) => 'leaf' in member).length;
    return [{ shown: size - withheld, withheld, skipped: failedPositions.length }];
  });
}

const outcomes = async ({ world }: Served, rows: readonly Attestation[]) =>
  (await Promise.all(rows.map(world.row))).map(({ status }) => status);

const bobsFailed = ['failed', 'confirmed', 'confirmed', 'failed', 'confirmed', 'confirmed'];

test.each(routes)(
  'row 47: nothing is shown of members whose authority took its delegation back, and the others land: %j',
  async (route) => {
    const service = await serve({ ...route, confirmations: 2, revealDelaySeconds: 30 });
    const rows = await committed(service);
    await service.world.chain.revokeDelegation(bob.authorityAddress);
    await service.endsByRule();
    expect(await reveals(service)).toEqual([{ shown: 4, withheld: 2, skipped: 0 }]);
    expect(await outcomes(service, rows)).toEqual(bobsFailed);
  },
);

test.each(routes)(
  'row 47: members that the registry skips end by what it shows, and the others land: %j',
  async (route) => {
    const service = await serve({ ...route, confirmations: 2, revealDelaySeconds: 30 });
    const { chain } = service.world;
    const rows = await committed(service);
    await service.until(() => chain.mempool.nonces().length > 0);
    // In the same block, and before.
    await chain.revokeDelegation(bob.authorityAddress);
    await service.endsByRule();
    expect(await reveals(service)).toEqual([{ shown: 6, withheld: 0, skipped: 2 }]);
    expect(await outcomes(service, rows)).toEqual(bobsFailed);
  },
);

test.each(routes.flatMap((route) => [1, 6].map((depth) => ({ route, depth }))))(
  'row 47: a commit that a reorganisation of $depth blocks took back is mined again, and revealed once: $route',
  async ({ route, depth }) => {
    const service = await serve({ ...route, confirmations: 3, revealDelaySeconds: 30 });
    const rows = await committed(service);
    await service.world.chain.reorganise(depth, { drop: true });
    await service.endsByRule();
    expect((await reveals(service)).map(({ shown }) => shown)).toEqual([size]);
    expect(await outcomes(service, rows)).toEqual(Array(size).fill('confirmed'));
  },
);

test.each(routes)(
  'row 47: a reveal for which there is gas for a part only is split, of one commit: %j',
  async (route) => {
    const service = await serve({ ...route, confirmations: 2, revealDelaySeconds: 30 });
    const { chain, signer } = service.world;
    const rows = await committed(service);
    // At some 20 gwei at most; a whole batch may need twice that.
    await chain.setBalance(signer.address, 8n * 10n ** 15n);
    await service.until(async () => (await reveals(service)).length > 0);
    await chain.setBalance(signer.address, 10n ** 20n);
    await service.endsByRule();
    const parts = await reveals(service);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.reduce((sum, { shown }) => sum + shown, 0)).toBe(size);
    expect(await outcomes(service, rows)).toEqual(Array(size).fill('confirmed'));
  },
);
