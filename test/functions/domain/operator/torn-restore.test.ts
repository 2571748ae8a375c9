import { expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import { ExpectedError } from '../../../../functions/domain/errors.ts';
import { resyncLane } from '../../../../functions/domain/operator/lane-control.ts';
import type { Change, Fields, Key, Stored } from '../../../../functions/domain/records.ts';
import { seededRandom } from '../../../fakes/ports/seeded-random.ts';
import { type RunningService, runService } from '../../../fakes/world/running-service.ts';
import { alice, bob, type World } from '../../../fakes/world/world.ts';

/** Every version of every record, by the number of the write that made it. */
class History {
  readonly #versions = new Map<
    string,
    { readonly key: Key; readonly at: number; readonly fields: Fields | undefined }[]
  >();
  writes = 0;

  /** Records what the store has after each write from now on. */
  constructor({ records }: World) {
    const { update, transact } = records;
    records.update = async (change) => this.#noted(records, await update.call(records, change), [change]);
    records.transact = async (changes) =>
      this.#noted(records, await transact.call(records, changes), changes);
  }

  #noted<Done>(records: World['records'], done: Done, changes: readonly Change[]): Done {
    if (!done) return done;
    this.writes++;
    for (const { key } of changes) {
      const name = JSON.stringify([key.table, key.pk, key.sk]);
      const versions = this.#versions.get(name) ?? [];
      versions.push({ key, at: this.writes, fields: records.peek(key) });
      this.#versions.set(name, versions);
    }
    return done;
  }

  /** The records as a restore to that write gives them: each may be some writes older or newer. */
  torn(write: number, skew: () => number): Stored[] {
    return [...this.#versions.values()].flatMap((versions) => {
      const until = write + skew();
      const last = versions.findLast(({ at }) => at <= until);
      return last?.fields ? [{ key: last.key, fields: last.fields }] : [];
    });
  }
}

const contents = ['one', 'two', 'three', 'four', 'five'];

/** A service that attested all contents, with the index of each and every version of its records. */
async function lived(seed: number, mode: object) {
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

async function restore({ records }: World, to: readonly Stored[]): Promise<void> {
  for (const { key } of records.all()) await records.update({ key, remove: true });
  for (const { key, fields } of to) await records.update({ key, put: fields });
}

/** An operator who resynchronises until the lane goes on. @returns whether it does */
async function resynced({ world, services, queue }: RunningService): Promise<boolean> {
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
const seeds = process.env.SOAK ? 100 : 4;

test.each(modes.flatMap((mode) => spreads.map((spread) => ({ mode, spread }))))(
  'whatever write the tables are restored to, each record $spread writes off, a resync has all attested once: $mode',
  async ({ mode, spread }) => {
    for (let seed = 1; seed <= seeds; seed++) {
      const { service, history, random, callers, indices } = await lived(seed, mode);
      const { world, post, queue } = service;
      const torn = history.torn(1 + random(history.writes), () => random(2 * spread + 1) - spread);
      await restore(world, torn);
      // The sweep comes first, and whatever it starts.
      await queue.until(async () => false, 180);
      expect(await resynced(service), `seed ${seed} goes on`).toBe(true);
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
