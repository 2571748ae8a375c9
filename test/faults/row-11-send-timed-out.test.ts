import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RealGiven } from '../fakes/real/real-settings.ts';
import { RpcRefusal } from '../fakes/rpc/rpc-call.ts';
import type { RpcRule } from '../fakes/rpc/rpc-proxy.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { laneOf, routes, type Served, serve, transactionOf } from './world/served.ts';

const methods = ['eth_sendRawTransaction'];

const unheard: RpcRule = { fault: { kind: 'answer dropped' }, methods };

const limits = { timeoutMilliseconds: 5_000, totalTimeoutMilliseconds: 1_000, retries: 0 };

/** Takes it, and answers when nobody listens any more. */
const late: RpcRule = {
  fault: {
    kind: 'answered',
    by: async ({ method, params }, ask) => {
      const answer = await ask(method, params);
      await sleep(limits.totalTimeoutMilliseconds + 200);
      return answer;
    },
  },
  methods,
  times: 1,
};

/** Takes it, and answers in other nodes' words that it had it before. */
const known = (message: string): RpcRule => ({
  fault: {
    kind: 'answered',
    by: async ({ method, params }, ask) => {
      await ask(method, params);
      throw new RpcRefusal({ code: -32000, message });
    },
  },
  methods,
});

/** Both attestations from post to end, while sends go as the rule says. */
async function live(rule: RpcRule, given: RealGiven): Promise<Served> {
  const service = await serve(given);
  service.world.providers[0]?.set(rule);
  for (const caller of [alice, bob]) await service.post(caller, 'An article.');
  await service.endsByRule();
  return service;
}

/** How often the service was told that a transaction may not have been sent. */
function complaints({ world }: Served): number {
  return world.log.lines.filter(({ message }) => message === 'transaction may not have been sent').length;
}

/** A life takes these nonces, and not one more. @returns how many attempts each has */
async function attemptsOf({ world }: Served): Promise<number[]> {
  const mined = await world.chain.receipts();
  expect((await laneOf(world)).nextNonce).toBe(mined.length);
  const transactions = await Promise.all(mined.map(({ nonce }) => transactionOf(world, nonce)));
  return transactions.map(({ attempts }) => attempts.length);
}

test.each(routes)(
  'row 11: what the node took without an answer keeps its nonce and its hash: %j',
  async (given) => {
    const service = await live(unheard, given);
    const attempts = await attemptsOf(service);
    expect(attempts).toEqual(attempts.map(() => 1));
    expect(complaints(service)).toBe(attempts.length);
  },
);

test('row 11: what the node took and answered too late keeps its nonce and its hash', async () => {
  const service = await live(late, { limits });
  expect(complaints(service)).toBe(1);
  expect(await attemptsOf(service)).toEqual([1, 1, 1, 1]);
});

test('row 11: the same bytes again, which the node has already, are sent', async () => {
  const service = await live({ ...unheard, times: 1 }, { limits: { ...limits, retries: 1 } });
  expect(complaints(service)).toBe(0);
  const attempts = await attemptsOf(service);
  expect(attempts).toEqual(attempts.map(() => 1));
  const sends = service.world.providers[0]?.counts.get('eth_sendRawTransaction');
  expect(sends).toBe(attempts.length + 1);
});

test.each(['already known', 'known transaction: 0x1234', 'AlreadyKnown', 'transaction already imported'])(
  'row 11: a node that says "%s" has the transaction',
  async (message) => {
    const service = await live(known(message), {});
    expect(complaints(service)).toBe(0);
    const attempts = await attemptsOf(service);
    expect(attempts).toEqual(attempts.map(() => 1));
  },
);
