import { setImmediate } from 'node:timers/promises';
import type { Services } from '../../functions/domain/services.ts';
import { behind } from './behind.ts';
import { seededRandom } from './seeded-random.ts';

/** Processes side by side whose calls of ports are let through one at a time, in an order that the seed decides. */
export async function interleave(
  services: Services,
  seed: number,
  processes: readonly ((services: Services) => Promise<unknown>)[],
): Promise<PromiseSettledResult<unknown>[]> {
  const random = seededRandom(seed);
  const waiting: (() => void)[] = [];
  const gated = behind(services, async (_, effect) => {
    await new Promise<void>((pass) => waiting.push(pass));
    return effect();
  });
  let running = processes.length;
  const results = processes.map(async (process) => {
    try {
      return await process(gated);
    } finally {
      running--;
    }
  });
  const settled = Promise.allSettled(results);
  while (running > 0) {
    await setImmediate();
    const [pass] = waiting.splice(random(waiting.length), 1);
    pass?.();
  }
  return settled;
}
