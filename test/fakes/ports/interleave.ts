import { setImmediate } from 'node:timers/promises';
import type { Services } from '../../../functions/domain/services.ts';
import { guarded } from './guarded.ts';
import { seededRandom } from './seeded-random.ts';

interface WaitingCall {
  readonly process: number;
  readonly proceed: () => void;
}

/**
 * Runs processes concurrently, one port call at a time, in an order that depends on the seed: with some seeds they
 * alternate, with others one runs far ahead.
 */
export async function interleave(
  services: Services,
  seed: number,
  processes: readonly ((services: Services) => Promise<unknown>)[],
): Promise<PromiseSettledResult<unknown>[]> {
  const random = seededRandom(seed);
  const waiting: WaitingCall[] = [];
  let running = processes.length;
  const results = processes.map(async (run, process) => {
    const gated = guarded(services, async (_, effect) => {
      await new Promise<void>((proceed) => waiting.push({ process, proceed }));
      return effect();
    });
    try {
      return await run(gated);
    } finally {
      running--;
    }
  });
  const settled = Promise.allSettled(results);
  for (let current = random(processes.length); running > 0; ) {
    await setImmediate();
    if (random(1 + (seed % 8)) === 0) current = random(processes.length);
    const next = waiting.findIndex(({ process }) => process === current);
    const [chosen] = waiting.splice(next < 0 ? random(waiting.length) : next, 1);
    chosen?.proceed();
  }
  return settled;
}
