import { expect, onTestFinished, test } from 'vitest';
import type { Attestation, AttestationKey } from '../../functions/domain/attestation/attestation.ts';
import type { Services } from '../../functions/domain/services.ts';
import { commitStep } from '../../functions/domain/steps/commit.ts';
import { revealStep } from '../../functions/domain/steps/reveal.ts';
import type { Faults } from '../fakes/ports/faults.ts';
import { interleave } from '../fakes/ports/interleave.ts';
import { runRealService } from '../fakes/real/real-service.ts';
import type { EventQueue } from '../fakes/workflow/event-queue.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { type HeldProcess, holdProcess } from './world/held-process.ts';
import { checkRealRule } from './world/rule.ts';
import { routes, type Served, serve } from './world/served.ts';

/** Longer than a state waits for its token. */
const sleepSeconds = 400;

/** Lets the next call of one name take long, once. */
class SlowCall implements Faults {
  isOver = false;
  #name: string | undefined;
  #isNow = false;
  #queue: EventQueue | undefined;

  begin(name: string, queue: EventQueue): void {
    [this.#name, this.#queue] = [name, queue];
  }

  next(call: string): undefined {
    this.#isNow = call === this.#name;
    if (this.#isNow) this.#name = undefined;
  }

  async pause(): Promise<void> {
    if (!this.#isNow) return;
    this.#isNow = false;
    await new Promise<void>((passed) => this.#queue?.after(sleepSeconds, passed));
    this.isOver = true;
  }
}

/** Where a step may sleep, beside reads. */
const everywhere = ['records.update', 'records.transact', 'signer.sign', 'chain.send', 'chain.head'];

type Step = (services: Services, key: AttestationKey) => Promise<void>;

const commit: Step = (services, { organizationId, id }) =>
  commitStep(services, { organizationId, id, taskToken: 'late' });
const reveal: Step = (services, { organizationId, id }) =>
  revealStep(services, { organizationId, id, taskToken: 'late' });

async function postMany({ post }: Served, count: number): Promise<Attestation[]> {
  const posts: Attestation[] = [];
  for (let n = 0; n < count; n++) {
    posts.push((await post(n % 2 ? alice : bob, `article ${n}`)).attestation);
  }
  return posts;
}

/** Acts on each attestation as soon as the chain lets it be revealed, and before its own state does. */
async function onceRevealable(
  { until, world }: Served,
  rows: readonly Attestation[],
  act: (row: Attestation, position: number) => Promise<unknown>,
): Promise<void> {
  const left = new Map(rows.entries());
  await until(async () => {
    for (const [position, row] of left) {
      const { revealAt = '9999' } = await world.row(row);
      if (Date.parse(revealAt) > world.chain.newest.timestamp * 1000) continue;
      left.delete(position);
      await act(row, position);
    }
    return left.size === 0;
  });
}

test.each(routes)(
  'row 04: steps that wake up after their operations are done, wherever they slept, do nothing: %j',
  async (given) => {
    const service = await serve({ batches: false, maxInFlight: 4, ...given });
    const { world, services } = service;
    const rows = await postMany(service, 21);
    const late: HeldProcess<void>[] = [];
    /** One run of the step for each attestation, each of which stands still at another of its calls. */
    const hold = (step: Step) => async (row: Attestation, position: number) => {
      // As if the lease of one that stands still had run out: while it is taken, the others leave.
      await services.records.update({
        key: { table: 'lanes', pk: world.lane, sk: 'SENDER' },
        remove: true,
      });
      late.push(await holdProcess(services, { nth: position + 1 }, (mortal) => step(mortal, row)));
    };
    for (const [position, row] of rows.entries()) await hold(commit)(row, position);
    await onceRevealable(service, rows, hold(reveal));
    await service.endsByRule();
    const before = await Promise.all(rows.map(world.row));
    expect(before.map(({ status }) => status)).toEqual(rows.map(() => 'confirmed'));
    expect(late.map(({ heldAt }) => heldAt)).toEqual(expect.arrayContaining(everywhere));

    await Promise.allSettled(late.map((process) => process.finish()));
    await service.endsByRule();
    expect(await Promise.all(rows.map(world.row))).toEqual(before);
  },
);

test.each(routes)('row 04: a step that runs twice at once owes one operation: %j', async (given) => {
  const service = await serve({ maxInFlight: 4, ...given });
  const rows = await postMany(service, 6);
  const twice = (step: Step) => (row: Attestation, seed: number) =>
    interleave(service.services, seed, [(mortal) => step(mortal, row), (mortal) => step(mortal, row)]);
  for (const [seed, row] of rows.entries()) await twice(commit)(row, seed);
  await onceRevealable(service, rows, twice(reveal));
  await service.endsByRule();
});

test.each(['UpdateItem', 'TransactWriteItems', 'Sign', 'StartExecution'])(
  'row 04: a step that ends before or after its %s is retried, and owes one operation',
  async (command) => {
    const service = await serve();
    for (const kind of ['killed before', 'killed after'] as const) {
      const { attestation } = await service.post(alice, `${kind} ${command}`);
      service.world.aws.inject({ kind, command });
      await service.endsByRule();
      expect(await service.world.row(attestation)).toMatchObject({ status: 'confirmed', run: 1 });
    }
  },
);

test.each(['records.update', 'records.transact', 'chain.send'])(
  'row 04: a step that stands still at %s until its state has timed out and run again has one effect',
  async (call) => {
    const slow = new SlowCall();
    const service = await runRealService(slow, {}, { overlaps: true });
    onTestFinished(service.world.stop);
    await service.post(alice, 'An article.');
    slow.begin(call, service.queue);
    expect(await service.untilIdle()).toBe(true);
    expect(await service.queue.until(async () => slow.isOver, 2 * sleepSeconds)).toBe(true);
    expect(await service.untilIdle()).toBe(true);
    await checkRealRule(service.world);
  },
);
