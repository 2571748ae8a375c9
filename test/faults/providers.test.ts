import { numberToHex } from 'viem';
import { expect, test } from 'vitest';
import { expectAllConfirmed, laneOf, type Served, serve, transactionOf } from '../fakes/real/served.ts';
import { answeredBy, laggingRule } from '../fakes/rpc/rpc-answers.ts';
import { RpcRefusal } from '../fakes/rpc/rpc-call.ts';
import type { RpcRule } from '../fakes/rpc/rpc-proxy.ts';
import { alice, bob } from '../fakes/world/world.ts';

/** Rule of a node that accepts a transaction and answers that it already knows it. */
const alreadyKnown = (message: string): RpcRule =>
  answeredBy(['eth_sendRawTransaction'], async ({ method, params }, request) => {
    await request(method, params);
    throw new RpcRefusal({ code: -32000, message });
  });

test.each<[string, RpcRule, boolean]>([
  ['without an answer', { fault: { kind: 'answer dropped' }, methods: ['eth_sendRawTransaction'] }, true],
  ['with "already known"', alreadyKnown('already known'), false],
])(
  'row 11: a transaction that the node accepted %s counts as sent, with its nonce and hash',
  async (_, rule, isDoubted) => {
    const { world, post, finishAndCheck } = await serve();
    world.providers[0]?.addRule(rule);
    for (const caller of [alice, bob]) await post(caller, 'An article.');
    await finishAndCheck();
    const mined = await world.chain.receipts();
    expect((await laneOf(world)).nextNonce).toBe(mined.length);
    for (const { nonce } of mined) expect((await transactionOf(world, nonce)).attempts).toHaveLength(1);
    const doubts = world.log.messages('error').filter((one) => one === 'transaction may not have been sent');
    expect(doubts).toHaveLength(isDoubted ? mined.length : 0);
  },
);

/** Lets the providers answer in turns of this many seconds, one at a time. */
function takeTurns({ queue, world: { providers } }: Served, seconds: number): void {
  let turn = 0;
  let lift = () => {};
  queue.every(seconds, () => {
    lift();
    const silent = providers[turn++ % providers.length];
    lift = silent?.addRule({ fault: { kind: 'request dropped' } }) ?? lift;
  });
}

test.each([
  { what: 'lags by three blocks', rule: laggingRule(3) },
  {
    what: 'shows the first block as the newest',
    rule: answeredBy(['eth_getBlockByNumber'], (_, request) =>
      request('eth_getBlockByNumber', [numberToHex(0), false]),
    ),
  },
])('row 16: a provider that $what only delays attestations, if another one is sound', async ({ rule }) => {
  const service = await serve({ forwarder: true, providers: 2, confirmations: 5 });
  const { chain, providers, log } = service.world;
  await service.advance(20);
  providers[0]?.addRule(rule);
  takeTurns(service, 3);
  for (const caller of [alice, bob]) await service.postUntilAnswered(caller, 'An article.');
  await service.finishAndCheck();
  await expectAllConfirmed(service.world, 2);
  expect((await chain.receipts()).every(({ succeeded }) => succeeded)).toBe(true);
  expect(log.messages('warn')).not.toContain('transaction undone by a reorg');
});

/** Rule of a provider that knows blocks only by number, as before EIP-1898. */
const hashesRefused = answeredBy(['eth_call'], async ({ method, params = [] }, request) => {
  if (typeof params[1] === 'object')
    throw new RpcRefusal({ code: -32_602, message: 'invalid argument 1: cannot unmarshal object' });
  return request(method, params);
});

test.each<[string, string, RpcRule]>([
  ['row 34', 'that allows three calls a request', { fault: { kind: 'batch refused', maxCalls: 3 } }],
  ['row 35', 'that accepts no block hashes', hashesRefused],
])('%s: a provider %s still serves the chain', async (_, __, rule) => {
  const { world, post, finishAndCheck } = await serve({ forwarder: true, rpcBatchSize: 3 });
  world.providers[0]?.addRule(rule);
  const { attestation } = await post(alice, 'An article.');
  await finishAndCheck();
  expect((await world.row(attestation)).status).toBe('confirmed');
});
