import { numberToHex } from 'viem';
import { expect, test } from 'vitest';
import type { RpcRule } from '../fakes/rpc/rpc-proxy.ts';
import { alice } from '../fakes/world/world.ts';
import { routes, serve, transactionOf } from './world/served.ts';

/** The provider says that recent blocks took that tip. */
function tipIs(wei: bigint): RpcRule {
  return {
    fault: {
      kind: 'answered',
      by: async ({ method, params }, ask) => {
        const history = (await ask(method, params)) as { gasUsedRatio: number[] };
        return { ...history, reward: history.gasUsedRatio.map(() => [numberToHex(wei)]) };
      },
    },
    methods: ['eth_feeHistory'],
  };
}

const cases = routes.flatMap((route) => [0n, 1n].map((tip) => ({ route, tip })));

test.each(cases)(
  'row 18: a tip of $tip wei is raised by one wei at a time, and nodes take each: $route',
  async ({ route, tip }) => {
    const { world, post, endsByRule } = await serve({ ...route, minPriorityFeeGwei: 0 });
    const { chain, providers, log } = world;
    providers[0]?.set(tipIs(tip));
    chain.minTip = 3n;
    const { attestation } = await post(alice, 'An article.');
    await endsByRule();
    const { attempts } = await transactionOf(world, 0);
    const tips = attempts.map(({ maxPriorityFeePerGas }) => maxPriorityFeePerGas);
    expect(tips).toEqual([0n, 1n, 2n, 3n].filter((one) => one >= tip));
    expect(log.messages('error')).toEqual([]);
    expect(await world.row(attestation)).toMatchObject({ commitTxHash: attempts.at(-1)?.hash });
  },
);
