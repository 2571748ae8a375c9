import { expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import { ExpectedError } from '../../../../functions/domain/errors.ts';
import { laneName } from '../../../../functions/domain/lane/lane.ts';
import { changeState, openOrReadLane } from '../../../../functions/domain/lane/lane-records.ts';
import { laneServices } from '../../../../functions/domain/lane/lane-services.ts';
import { transactionsFrom } from '../../../../functions/domain/lane/transaction-records.ts';
import { activateSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { resyncLane } from '../../../../functions/domain/operator/lane-control.ts';
import type { Change, Fields, Key, Records, Stored } from '../../../../functions/domain/records.ts';
import { advance } from '../../../../functions/domain/steps/advance-lane.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { interrupt } from '../../../fakes/ports/port-overrides.ts';
import { seededRandom } from '../../../fakes/ports/seeded-random.ts';
import { dispatchQueue } from '../../../fakes/world/dispatch-queue.ts';
import { type RunningService, runService } from '../../../fakes/world/running-service.ts';
import { caseCount } from '../../../fakes/world/soak.ts';
import { addKey, stateOf } from '../../../fakes/world/steps.ts';
import { alice, bob, chainId, makeWorld, type World } from '../../../fakes/world/world.ts';

/** Every version of every record, by the number of the write that made it. */
class History {
  readonly #versions = new Map<
    string,
    { readonly key: Key; readonly write: number; readonly fields: Fields | undefined }[]
  >();
  writes = 0;

  /** Records the changed records after each later write. */
  constructor({ records }: World) {
    const { update, transact } = records;
    records.update = async (change) => this.#record(records, await update.call(records, change), [change]);
    records.transact = async (changes) =>
      this.#record(records, await transact.call(records, changes), changes);
  }

  #record<Done>(records: World['records'], done: Done, changes: readonly Change[]): Done {
    if (!done) return done;
    this.writes++;
    for (const { key } of changes) {
      const name = JSON.stringify([key.table, key.pk, key.sk]);
      const versions = this.#versions.get(name) ?? [];
      versions.push({ key, write: this.writes, fields: records.peek(key) });
      this.#versions.set(name, versions);
    }
    return done;
  }

  /** Returns the records after a restore to a write, where each may be some writes older or newer. */
  tornAt(write: number, skew: () => number): Stored[] {
    return [...this.#versions.values()].flatMap((versions) => {
      const until = write + skew();
      const last = versions.findLast(({ write }) => write <= until);
      return last?.fields ? [{ key: last.key, fields: last.fields }] : [];
    });
  }
}

const contents = ['one', 'two', 'three', 'four', 'five'];

/** Runs a service that attests all contents. @returns also their indices and every version of the records */
async function attestAll(seed: number, mode: object) {
  const random = seededRandom(seed);
  const service = runService(undefined, mode);
  const history = new History(service.world);
  const callers = contents.map(() => (random(2) === 0 ? alice : bob));
  const posted: Attestation[] = [];
  for (const [position, content] of contents.entries()) {
    const { attestation } = await service.post(callers[position] ?? alice, content);
    posted.push(attestation);
    await service.queue.until(async () => false, random(12));
  }
  expect(await service.untilIdle()).toBe(true);
  const rows = await Promise.all(posted.map(service.world.row));
  const indices = rows.map(({ attestationIndex }) => attestationIndex);
  return { service, history, random, callers, indices };
}

/** Resynchronizes, as an operator does, until the lane continues. @returns whether it does */
async function resyncUntilDone({ world, services, queue }: RunningService): Promise<boolean> {
  return queue.until(async () => {
    try {
      await resyncLane(services, world.lane);
      return true;
    } catch (error) {
      if (error instanceof ExpectedError) return false;
      throw error;
    }
  }, 7_200);
}

const modes = [{}, { forwarder: true }, { batches: true }, { forwarder: true, batches: true }];
const spreads = [0, 3];
const seeds = caseCount(4, 100);

test.each(modes.flatMap((mode) => spreads.map((spread) => ({ mode, spread }))))(
  'after a restore and a resync, each content is attested once, even if records differ by $spread writes: $mode',
  async ({ mode, spread }) => {
    for (let seed = 1; seed <= seeds; seed++) {
      const { service, history, random, callers, indices } = await attestAll(seed, mode);
      const { world, post, queue } = service;
      const torn = history.tornAt(1 + random(history.writes), () => random(2 * spread + 1) - spread);
      world.records.restore(torn);
      // The sweep, and all that it starts, run before the resync.
      await queue.until(async () => false, 180);
      expect(await resyncUntilDone(service), `seed ${seed} continues`).toBe(true);
      const again: Attestation[] = [];
      for (const [position, content] of contents.entries())
        again.push((await post(callers[position] ?? alice, content)).attestation);
      expect(await service.untilIdle(7_200), `seed ${seed} is done`).toBe(true);
      const rows = await Promise.all(again.map(world.row));
      expect(rows.map(({ status, attestationIndex }) => [status, attestationIndex])).toEqual(
        indices.map((index) => ['confirmed', index]),
      );
    }
  },
  seeds * 20_000,
);

/** Makes a world with a second, active key and one queued commit. */
async function makeRotated() {
  const world = makeWorld({ forwarder: true });
  const { services } = world;
  await stateOf(world);
  const second = addKey(world);
  world.mine(5);
  await activateSigner(services, chainId, second);
  const { attestation } = await world.create(alice, 'one');
  await queueOperation(services, attestation, 'commit');
  const active = laneName(chainId, second.address);
  await openOrReadLane(laneServices(services, active));
  return { world, active, attestation };
}

/** Runs ticks of the lane until a transaction in the next block is final. */
async function advanceUntilFinal({ services, chain, mine }: World, lane: string) {
  for (let turn = 0; turn < chain.settings.confirmations + 1; turn++) {
    mine();
    const { run } = await openOrReadLane(laneServices(services, lane));
    await advance(services, { lane, run, turn });
  }
}

/** Services that run `act` before the first `times` lists of unfinished attestations. */
const withInterruption = ({ services, records }: World, act: () => Promise<unknown>, times = 1) => ({
  ...services,
  records: interrupt<Records>(records, 'due', act, times),
});

const queuedKeys = ({ records }: World) =>
  records.all().flatMap(({ key }) => (key.table === 'queue' && key.sk !== 'ROUND' ? [key.sk] : []));

/** Loses the queued operations, like a restore in which the queue is older than the rows. */
async function loseQueue({ records }: World) {
  for (const { key } of records.all())
    if (key.table === 'queue' && key.sk !== 'ROUND') await records.update({ key, remove: true });
}

test.each(['draining', 'active'])(
  'a resync of the %s lane does not requeue an operation that the active lane binds at the same time',
  async (resyncedLane) => {
    const { world, active, attestation } = await makeRotated();
    const { services, records, lane, queue } = world;
    const racing = withInterruption(world, () => dispatchQueue(services, queue));
    await resyncLane(racing, resyncedLane === 'active' ? active : lane).catch(() => undefined);
    const state = await openOrReadLane(laneServices(services, active));
    expect((await transactionsFrom(records, state)).map(({ nonce }) => nonce)).toEqual([0]);
    expect(queuedKeys(world)).toEqual([]);
    await dispatchQueue(services, queue);
    await advanceUntilFinal(world, active);
    expect(minedCalls(world)).toEqual(['commit']);
    expect((await world.row(attestation)).commitPhase).toBe('final');
  },
);

test('a resync lists the lanes whose unsettled transactions prevent it from requeueing, and requeues once they are final', async () => {
  const { world, active, attestation } = await makeRotated();
  const { services, lane, queue } = world;
  const { attestation: second } = await world.create(alice, 'two');
  await dispatchQueue(services, queue);
  expect(await resyncLane(services, lane)).toMatchObject({ lane, heldBy: [active] });
  await advanceUntilFinal(world, active);
  expect((await world.row(attestation)).commitPhase).toBe('final');
  await queueOperation(services, second, 'commit');
  await loseQueue(world);
  await resyncLane(services, lane);
  expect(queuedKeys(world)).toEqual([]);
  const resynced = await resyncLane(services, active);
  expect([resynced.heldBy, queuedKeys(world).length]).toEqual([undefined, 1]);
});

test.each([
  { times: 1, answer: 'done' },
  { times: 9, answer: 'busy' },
])('a resync starts over when the lane changes, here $times times: $answer', async ({ times, answer }) => {
  const world = makeWorld();
  await stateOf(world);
  const { attestation } = await world.create(alice, 'one');
  await queueOperation(world.services, attestation, 'commit');
  await loseQueue(world);
  const change = async () =>
    world.records.update(changeState(await stateOf(world), { cappedSince: `${Math.random()}` }));
  const resync = resyncLane(withInterruption(world, change, times), world.lane);
  if (answer === 'busy') await expect(resync).rejects.toThrow('others are changing lane');
  else await resync;
  expect(queuedKeys(world)).toHaveLength(answer === 'busy' ? 0 : 1);
});
