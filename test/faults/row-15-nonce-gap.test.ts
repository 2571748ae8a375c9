import { expect, test } from 'vitest';
import { sendsForgotten } from '../fakes/rpc/rpc-answers.ts';
import type { RpcRule } from '../fakes/rpc/rpc-proxy.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { routes, serve, transactionOf } from './world/served.ts';

const methods = ['eth_sendRawTransaction'];
const faults: [string, RpcRule][] = [
  ['was taken and forgotten', { ...sendsForgotten, times: 1 }],
  ['was dropped on the way', { fault: { kind: 'request dropped' }, methods, times: 1 }],
];
const cases = routes.flatMap((route) => faults.map(([what, rule]) => ({ what, route, rule })));

test.each(cases)(
  'row 15: what waits behind a lowest nonce that $what drains in order: $route',
  async ({ route, rule }) => {
    const { world, post, until, pass, endsByRule } = await serve({ ...route, maxInFlight: 6 });
    const { chain, providers } = world;
    providers[0]?.set(rule);
    for (let text = 0; text < 6; text++) await post(text % 2 ? alice : bob, `article ${text}`);
    await until(() => chain.mempool.nonces().length === 5);
    await pass(3 * chain.settings.blockTimeSeconds);
    expect(chain.mempool.nonces()).toEqual([1, 2, 3, 4, 5]);
    expect(await chain.receipts()).toEqual([]);
    const behind = await Promise.all([1, 2, 3, 4, 5].map((nonce) => transactionOf(world, nonce)));
    await endsByRule();
    const mined = await chain.receipts();
    expect(mined.slice(1, 6).map(({ hash }) => hash)).toEqual(
      behind.map(({ attempts }) => attempts[0]?.hash),
    );
    expect(mined.every(({ succeeded }) => succeeded)).toBe(true);
  },
);
