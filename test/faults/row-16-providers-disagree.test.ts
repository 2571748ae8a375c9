import { type Hex, keccak256, numberToHex } from 'viem';
import { expect, test } from 'vitest';
import { stale, wrongChain } from '../fakes/rpc/rpc-answers.ts';
import type { Answering, RpcRule } from '../fakes/rpc/rpc-proxy.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { routes, type Served, serve } from './world/served.ts';

const limits = { timeoutMilliseconds: 2_000, totalTimeoutMilliseconds: 400, retries: 0 };

const faults: [string, RpcRule][] = [
  ['is down', { fault: { kind: 'request dropped' } }],
  ['is overloaded', { fault: { kind: 'refused', status: 429 } }],
  ['never answers in time', { fault: { kind: 'delayed', milliseconds: 300 } }],
  ['does what it is asked and does not answer', { fault: { kind: 'answer dropped' } }],
  ['answers with garbage', { fault: { kind: 'garbage' } }],
  ['serves another chain', wrongChain(5)],
];

async function publishBoth({ postUntilAnswered, endsByRule, world }: Served): Promise<void> {
  const first = await postUntilAnswered(alice, 'first');
  const second = await postUntilAnswered(bob, 'second');
  await endsByRule();
  for (const { attestation } of [first, second]) {
    expect((await world.row(attestation)).status).toBe('confirmed');
  }
  const receipts = await world.chain.receipts();
  expect(receipts.every(({ succeeded }) => succeeded)).toBe(true);
}

test.each(faults)('row 16: of two providers one %s, to no effect but time', async (what, rule) => {
  const service = await serve({ providers: 2, limits });
  const [first] = service.world.providers;
  first?.set(rule);
  await publishBoth(service);
  // Nobody's transactions are told to whoever serves another chain.
  if (what === 'serves another chain') expect([...(first?.counts.keys() ?? [])]).toEqual(['eth_chainId']);
});

/** The provider is on another branch: its newest blocks are others, and our transactions are not in them. */
function branchedOff(depth: number): RpcRule {
  const behind = stale(depth).fault;
  if (behind.kind !== 'answered') throw new Error('a stale provider answers');
  return {
    fault: {
      kind: 'answered',
      by: async (call, ask) => {
        if (call.method === 'eth_blockNumber') return ask(call.method);
        if (call.method !== 'eth_getBlockByNumber') return behind.by(call, ask);
        const head = Number(await ask('eth_blockNumber'));
        const block = (await ask(call.method, call.params)) as { number: Hex; hash: Hex } | null;
        const isOther = block !== null && Number(block.number) > head - depth;
        return isOther ? { ...block, hash: keccak256(block.hash) } : block;
      },
    },
  };
}

/** The provider's newest block is one of long ago. */
function newestBlockIs(number: number): RpcRule {
  const by: Answering = (_, ask) => ask('eth_getBlockByNumber', [numberToHex(number), false]);
  return { fault: { kind: 'answered', by }, methods: ['eth_getBlockByNumber'] };
}

/** Lets only one of them answer, each in its turn of so many seconds, so that both are heard. */
function takeTurns({ queue, world: { providers } }: Served, seconds: number): void {
  let turn = 0;
  let lift = () => {};
  queue.every(seconds, () => {
    lift();
    const silent = providers[turn++ % providers.length];
    lift = silent?.set({ fault: { kind: 'request dropped' } }) ?? lift;
  });
}

const disagreements = [
  { what: 'lags by three blocks', rule: stale(3), seconds: 3 },
  { what: 'shows the first block as the newest', rule: newestBlockIs(0), seconds: 3 },
  { what: 'is on another branch of three blocks', rule: branchedOff(3), seconds: 2 },
];

const cases = routes.flatMap((route) => disagreements.map((one) => ({ ...one, route })));

test.each(cases)(
  'row 16: two providers disagree, for one $what, to no effect but time: $route',
  async ({ route, rule, seconds, what }) => {
    const service = await serve({ ...route, providers: 2, confirmations: 5 });
    const { providers, log } = service.world;
    await service.pass(20);
    providers[0]?.set(rule);
    takeTurns(service, seconds);
    await publishBoth(service);
    // A lane that sleeps until finality may see nothing of the other branch.
    const undone = log.messages('warn').includes('transaction undone by a reorganisation');
    if (!what.includes('branch')) expect(undone).toBe(false);
  },
);
