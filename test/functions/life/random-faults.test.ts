import { expect, test } from 'vitest';
import { listAttestations } from '../../../functions/domain/attestation-rows.ts';
import { linkChild } from '../../../functions/domain/link-child.ts';
import { pump } from '../../../functions/domain/pump.ts';
import { invoke } from '../../fakes/faults.ts';
import { checkRule, watchSends } from '../../fakes/outcome-checks.ts';
import { RandomFaults } from '../../fakes/random-faults.ts';
import { runService } from '../../fakes/running-service.ts';
import { seededRandom } from '../../fakes/seeded-random.ts';
import type { SimulatedChain } from '../../fakes/simulated-chain.ts';
import { cases } from '../../fakes/soak.ts';
import { alice, bob } from '../../fakes/world.ts';

const gwei = 1_000_000_000n;
const faultySeconds = 600;
const maxSeconds = 6 * 3600;

/** One thing that chains and providers do to those who depend on them. */
function storm(chain: SimulatedChain, random: (below: number) => number): void {
  chain.unreachable = random(20) === 0;
  chain.losesSendAnswers = random(8) === 0;
  chain.forgetsSent = random(12) === 0;
  chain.hidesReceipts = random(10) === 0;
  chain.minTip = random(6) === 0 ? 3n * gwei : 0n;
  chain.baseFee = BigInt(5 + random(60)) * gwei;
  if (random(6) === 0) chain.mempool.drop(random(20));
}

function calm(chain: SimulatedChain): void {
  Object.assign(chain, { unreachable: false, losesSendAnswers: false, forgetsSent: false });
  Object.assign(chain, { hidesReceipts: false, minTip: 0n, baseFee: 10n * gwei });
}

/** Some attestation of an organisation is superseded by some other one of it. */
async function linkSome(
  { world, services }: ReturnType<typeof runService>,
  faults: RandomFaults,
  random: (below: number) => number,
): Promise<void> {
  const { organizationId } = random(2) ? alice : bob;
  const { attestations } = await listAttestations(world.records, organizationId, { limit: 100 });
  const [parent, child] = [1, 2].map(() => attestations[random(attestations.length)]);
  if (faults.over || !parent || !child) return;
  await invoke(services, faults, (mortal) => linkChild(mortal, parent, child.id));
}

async function live(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const faults = new RandomFaults(random, 30 + random(100));
  const given = { maxInFlight: 1 + random(4), confirmations: 1 + random(5) };
  const service = runService(faults, given, { overlaps: true });
  const { world, queue, services } = service;
  faults.take(queue);
  watchSends(world);

  const postUntilAnswered = (text: string): Promise<unknown> =>
    service.post(random(2) ? alice : bob, text).catch(() => {
      queue.after(1, () => void postUntilAnswered(text));
    });
  for (let post = 0; post < 12; post++) {
    queue.after(random(400), () => void postUntilAnswered(`article ${random(9)}`));
  }
  queue.every(20, () => void linkSome(service, faults, random).catch(() => {}));
  queue.every(7, () => void invoke(services, faults, (mortal) => pump(mortal, world.queue)).catch(() => {}));
  queue.every(9, () => faults.over || storm(world.chain, random));
  queue.after(faultySeconds, () => {
    faults.over = true;
    calm(world.chain);
  });

  expect(await queue.until(async () => faults.over, maxSeconds)).toBe(true);
  expect(await service.untilIdle(maxSeconds)).toBe(true);
  await checkRule(world);
}

const seeds = cases(12, 1000);

test(`${seeds} lives with random faults at any call, three pumps and bad chains end by the rule`, async () => {
  for (let seed = 0; seed < seeds; seed++) {
    await live(seed).catch((cause) => {
      throw new Error(`seed ${seed}`, { cause });
    });
  }
}, 3_600_000);
