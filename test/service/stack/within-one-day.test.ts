import { expect, test } from 'vitest';
import { FakeClock } from '../../fakes/ports/fake-clock.ts';
import { withinOneDay } from './within-one-day.ts';

/** Work that takes so many seconds, from a minute before midnight, and fails so often. */
function working({ seconds, failures }: { seconds: number; failures: number }) {
  const clock = new FakeClock('2026-01-01T23:59:00.000Z');
  let done = 0;
  const work = async () => {
    clock.advance(seconds);
    if (done++ < failures) throw new Error(`failure ${done}`);
    return done;
  };
  return { outcome: withinOneDay(work, clock.now), done: () => done };
}

test('work that fails across midnight is done once more, and its second failure stands', async () => {
  await expect(working({ seconds: 60, failures: 1 }).outcome).resolves.toBe(2);
  await expect(working({ seconds: 60, failures: 2 }).outcome).rejects.toThrow('failure 2');
});

test('work that fails within a day has failed, and work that does not is done once', async () => {
  const { outcome, done } = working({ seconds: 59, failures: 1 });
  await expect(outcome).rejects.toThrow('failure 1');
  expect(done()).toBe(1);
  await expect(working({ seconds: 60, failures: 0 }).outcome).resolves.toBe(1);
});
