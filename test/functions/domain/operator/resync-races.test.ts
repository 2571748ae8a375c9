import { expect, test } from 'vitest';
import { laneName } from '../../../../functions/domain/lane/lane.ts';
import { changeState, openOrReadLane } from '../../../../functions/domain/lane/lane-records.ts';
import { laneServices } from '../../../../functions/domain/lane/lane-services.ts';
import { transactionsFrom } from '../../../../functions/domain/lane/transaction-records.ts';
import { activateSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { resyncLane } from '../../../../functions/domain/operator/lane-control.ts';
import type { Records } from '../../../../functions/domain/records.ts';
import { advance } from '../../../../functions/domain/steps/advance-lane.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { FakeSigner } from '../../../fakes/ports/fake-signer.ts';
import { overriding } from '../../../fakes/ports/overriding.ts';
import { dispatchQueue } from '../../../fakes/world/dispatch-queue.ts';
import { stateOf } from '../../../fakes/world/steps.ts';
import { alice, chainId, makeWorld, type World } from '../../../fakes/world/world.ts';

/** The world with a second key, whose lane sends in place of the first one's, and with one commit that waits. */
async function rotated() {
  const world = makeWorld({ forwarder: true });
  const { services, signers, chain } = world;
  await stateOf(world);
  const signer = new FakeSigner(`0x${'b2'.repeat(32)}`);
  signers.set('second', signer);
  chain.addOperator(world.delegateAddress, signer.address);
  world.mine(5);
  await activateSigner(services, chainId, { keyId: 'second', address: signer.address });
  const { attestation } = await world.create(alice, 'one');
  await queueOperation(services, attestation, 'commit');
  const active = laneName(chainId, signer.address);
  await openOrReadLane(laneServices(services, active));
  return { world, active, attestation };
}

/** Lets the lane tick in so many blocks that what waits for its next is final. */
async function advanceUntilFinal({ services, chain, mine }: World, lane: string) {
  for (let turn = 0; turn < chain.settings.confirmations + 1; turn++) {
    mine();
    const { run } = await openOrReadLane(laneServices(services, lane));
    await advance(services, { lane, run, turn });
  }
}

/** Services to which something happens each time that the unfinished attestations are listed. */
function during({ services, records }: World, happens: () => Promise<unknown>) {
  const due: Records['due'] = async (now, limit) => {
    await happens();
    return records.due(now, limit);
  };
  return { ...services, records: overriding<Records>(records, { due }) };
}

/** Sort keys of what waits in queues. */
const queued = ({ records }: World) =>
  records.all().flatMap(({ key }) => (key.table === 'queue' && key.sk !== 'ROUND' ? [key.sk] : []));

/** Loses what waits, as a restore does that has the queue some writes older than the rows. */
async function loseQueue({ records }: World) {
  for (const { key } of records.all())
    if (key.table === 'queue' && key.sk !== 'ROUND') await records.update({ key, remove: true });
}

test.each(['draining', 'active'])(
  'a resync of the %s lane does not queue again what the active one binds meanwhile',
  async (which) => {
    const { world, active, attestation } = await rotated();
    const { services, records, lane, queue } = world;
    const racing = during(world, () => dispatchQueue(services, queue));
    await resyncLane(racing, which === 'active' ? active : lane).catch(() => undefined);
    const state = await openOrReadLane(laneServices(services, active));
    expect((await transactionsFrom(records, state)).map(({ nonce }) => nonce)).toEqual([0]);
    expect(queued(world)).toEqual([]);
    await dispatchQueue(services, queue);
    await advanceUntilFinal(world, active);
    expect(minedCalls(world)).toEqual(['commit']);
    expect((await world.row(attestation)).commitPhase).toBe('final');
  },
);

test('a resync names the lanes whose open transactions kept it from queueing again, and does so afterwards', async () => {
  const { world, active, attestation } = await rotated();
  const { services, lane, queue } = world;
  const { attestation: second } = await world.create(alice, 'two');
  await dispatchQueue(services, queue);
  expect(await resyncLane(services, lane)).toMatchObject({ lane, heldBy: [active] });
  await advanceUntilFinal(world, active);
  expect((await world.row(attestation)).commitPhase).toBe('final');
  await queueOperation(services, second, 'commit');
  await loseQueue(world);
  await resyncLane(services, lane);
  expect(queued(world)).toEqual([]);
  const resynced = await resyncLane(services, active);
  expect([resynced.heldBy, queued(world).length]).toEqual([undefined, 1]);
});

test.each([
  { times: 1, answer: 'done' },
  { times: 9, answer: 'busy' },
])(
  'a resync of a lane that changes $times times meanwhile starts over: $answer',
  async ({ times, answer }) => {
    const world = makeWorld();
    await stateOf(world);
    const { attestation } = await world.create(alice, 'one');
    await queueOperation(world.services, attestation, 'commit');
    await loseQueue(world);
    let left = times;
    const busy = during(world, async () => {
      if (left-- > 0)
        await world.records.update(changeState(await stateOf(world), { cappedSince: `${left}` }));
    });
    const resync = resyncLane(busy, world.lane);
    if (answer === 'busy') await expect(resync).rejects.toThrow('changed by others');
    else await resync;
    expect(queued(world)).toHaveLength(answer === 'busy' ? 0 : 1);
  },
);
