import { expect, test, vi } from 'vitest';
import { checkRule } from '../fakes/checks/outcome-checks.ts';
import { seededRandom } from '../fakes/ports/seeded-random.ts';
import { evidenceOf } from '../fakes/real/real-evidence.ts';
import { runRealService } from '../fakes/real/real-service.ts';
import type { RealWorld } from '../fakes/real/real-world.ts';
import { RandomFaults } from '../fakes/workflow/random-faults.ts';
import { dispatchQueue } from '../fakes/world/dispatch-queue.ts';
import { cases, soakTimeout } from '../fakes/world/soak.ts';
import { alice, bob } from '../fakes/world/world.ts';

vi.setConfig({ testTimeout: soakTimeout });

type Random = (below: number) => number;

const faultySeconds = 200;
const maxSeconds = 6 * 3600;

/** One thing that chains and providers do to those who depend on them. */
function storm({ chain }: RealWorld, random: Random): void {
  chain.unreachable = random(15) === 0;
  chain.losesSendAnswers = random(6) === 0;
  chain.forgetsSent = random(8) === 0;
  chain.hidesReceipts = random(10) === 0;
  if (random(6) === 0) chain.mempool.drop(random(20));
}

function calm({ chain }: RealWorld): void {
  Object.assign(chain, {
    unreachable: false,
    losesSendAnswers: false,
    forgetsSent: false,
    hidesReceipts: false,
  });
}

/** One thing that AWS does, beside the faults of whole calls. */
function strike({ aws }: RealWorld, random: Random): void {
  if (random(3) === 0) aws.inject({ kind: 'conflict', command: 'TransactWriteItems', times: 1 + random(4) });
  if (random(3) === 0) aws.inject({ kind: 'throttled', nth: 1 + random(20), times: 1 + random(6) });
  if (random(3) === 0) aws.inject({ kind: 'answer lost', nth: 1 + random(20), times: 1 + random(6) });
}

async function live(seed: number, stops: (() => Promise<void>)[]): Promise<void> {
  const random = seededRandom(seed);
  const faults = new RandomFaults(random, 30 + random(60));
  const given = { forwarder: random(2) === 0, maxInFlight: 1 + random(4), confirmations: 2 + random(4) };
  const service = await runRealService(faults, given, { overlaps: true });
  const { world, queue } = service;
  stops.push(world.stop);
  faults.take(queue);

  const postUntilAnswered = (text: string): Promise<unknown> =>
    service.post(random(2) ? alice : bob, text).catch(() => {
      queue.after(1, () => void postUntilAnswered(text));
    });
  for (let post = 0; post < 8; post++) {
    queue.after(random(100), () => void postUntilAnswered(`article ${random(6)}`));
  }
  queue.every(7, () => void service.process((mortal) => dispatchQueue(mortal, world.queue)).catch(() => {}));
  queue.every(9, () => faults.over || storm(world, random));
  queue.every(5, () => faults.over || strike(world, random));
  queue.every(31, () =>
    faults.over ? undefined : world.chain.reorganise(1, { drop: random(2) === 0, remine: random(2) === 0 }),
  );
  queue.after(faultySeconds, () => {
    faults.over = true;
    calm(world);
    world.aws.clear();
  });

  expect(await queue.until(async () => faults.over, maxSeconds)).toBe(true);
  expect(await service.untilIdle(maxSeconds)).toBe(true);
  await checkRule(await evidenceOf(world));
}

const seeds = cases(3, 300);

test(`${seeds} lives on real adapters, with random faults at any call, end by the rule`, async () => {
  for (let seed = 0; seed < seeds; seed++) {
    const stops: (() => Promise<void>)[] = [];
    await live(seed, stops)
      .catch((cause) => {
        throw new Error(`seed ${seed}`, { cause });
      })
      .finally(() => Promise.all(stops.map((stop) => stop())));
  }
});
