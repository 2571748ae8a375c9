import { numberToHex } from 'viem';
import { expect, test } from 'vitest';
import { expectAllConfirmed, laneOf, type Served, serve, transactionOf } from '../fakes/real/served.ts';
import { answeredBy, laggingRule } from '../fakes/rpc/rpc-answers.ts';
import { RpcRefusal } from '../fakes/rpc/rpc-call.ts';
import type { RpcRule } from '../fakes/rpc/rpc-proxy.ts';
import { alice, bob } from '../fakes/world/world.ts';

/** Rule of a node that takes a transaction and says in its own words that it had it before. */
const known = (message: string): RpcRule =>
  answeredBy(['eth_sendRawTransaction'], async ({ method, params }, ask) => {
    await ask(method, params);
    throw new RpcRefusal({ code: -32000, message });
  });

test.each<[string, RpcRule, boolean]>([
  ['without an answer', { fault: { kind: 'answer dropped' }, methods: ['eth_sendRawTransaction'] }, true],
  ['with "already known"', known('already known'), false],
])(
  'row 11: what the node took %s keeps its nonce and its hash, and counts as sent',
  async (_, rule, isDoubted) => {
    const { world, post, endByRule } = await serve();
    world.providers[0]?.addRule(rule);
    for (const caller of [alice, bob]) await post(caller, 'An article.');
    await endByRule();
    const mined = await world.chain.receipts();
    expect((await laneOf(world)).nextNonce).toBe(mined.length);
    for (const { nonce } of mined) expect((await transactionOf(world, nonce)).attempts).toHaveLength(1);
    const doubts = world.log.messages('error').filter((one) => one === 'transaction may not have been sent');
    expect(doubts).toHaveLength(isDoubted ? mined.length : 0);
  },
);

/** Lets only one of the providers answer, each in its turn of so many seconds, so that both are heard. */
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
    rule: answeredBy(['eth_getBlockByNumber'], (_, ask) =>
      ask('eth_getBlockByNumber', [numberToHex(0), false]),
    ),
  },
])('row 16: two providers that disagree on one $what cost nothing but time', async ({ rule }) => {
  const service = await serve({ forwarder: true, providers: 2, confirmations: 5 });
  const { chain, providers, log } = service.world;
  await service.advance(20);
  providers[0]?.addRule(rule);
  takeTurns(service, 3);
  for (const caller of [alice, bob]) await service.postUntilAnswered(caller, 'An article.');
  await service.endByRule();
  await expectAllConfirmed(service.world, 2);
  expect((await chain.receipts()).every(({ succeeded }) => succeeded)).toBe(true);
  expect(log.messages('warn')).not.toContain('transaction undone by a reorg');
});

/** A provider that knows blocks by number only, as before EIP-1898. */
const hashesRefused = answeredBy(['eth_call'], async ({ method, params = [] }, ask) => {
  if (typeof params[1] === 'object')
    throw new RpcRefusal({ code: -32_602, message: 'invalid argument 1: cannot unmarshal object' });
  return ask(method, params);
});

test.each<[string, string, RpcRule]>([
  ['row 34', 'of three calls a request', { fault: { kind: 'batch refused', maxCalls: 3 } }],
  ['row 35', 'that takes no block hashes', hashesRefused],
])('%s: a provider %s serves the chain all the same', async (_, __, rule) => {
  const { world, post, endByRule } = await serve({ forwarder: true, rpcBatchSize: 3 });
  world.providers[0]?.addRule(rule);
  const { attestation } = await post(alice, 'An article.');
  await endByRule();
  expect((await world.row(attestation)).status).toBe('confirmed');
});
