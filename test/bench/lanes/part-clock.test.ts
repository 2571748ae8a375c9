import { expect, test } from 'vitest';
import { PartClock } from './part-clock.ts';

/** Time that passes when a call says so. */
function makeTime() {
  let nowMs = 1_000;
  return {
    clock: new PartClock(() => nowMs),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

/** A port whose values and private state a wrapper must not break. */
class Counter {
  readonly step = 2;
  #count = 0;

  async add(times: number): Promise<number> {
    this.#count += times * this.step;
    return this.#count;
  }

  async fail(): Promise<void> {
    throw new Error('refused');
  }
}

test('a timed port answers and fails as the port itself', async () => {
  const counter = new PartClock().timed('store', new Counter());
  expect(counter.step).toBe(2);
  expect(await counter.add(3)).toBe(6);
  expect(await counter.add(1)).toBe(8);
  await expect(counter.fail()).rejects.toThrow('refused');
});

test('adds up the time of each part, and begins anew once it is taken', async () => {
  const { clock, pass } = makeTime();
  const port = { wait: async (ms: number) => pass(ms) };
  const [store, chain] = [clock.timed('store', port), clock.timed('chain', port)];
  await store.wait(5);
  await chain.wait(7);
  await store.wait(5);
  expect(clock.take()).toEqual({ store: 10, chain: 7, signer: 0 });
  expect(clock.take()).toEqual({ store: 0, chain: 0, signer: 0 });
});

test('counts the time of calls at once only once', async () => {
  const { clock, pass } = makeTime();
  const { promise, resolve } = Promise.withResolvers<void>();
  const signer = clock.timed('signer', { sign: () => promise });
  const signed = Promise.all([signer.sign(), signer.sign()]);
  pass(30);
  resolve();
  await signed;
  expect(clock.take().signer).toBe(30);
});
