import { type Hex, numberToHex } from 'viem';
import { callsInside } from '../../fakes/chain/contracts-model.ts';
import type { RpcRule } from '../../fakes/rpc/rpc-proxy.ts';

/** A provider that estimates half of what a forwarder's batch of more than so many calls takes. */
export function shortEstimates(maxCalls: number): RpcRule {
  return {
    methods: ['eth_estimateGas'],
    fault: {
      kind: 'answered',
      by: async ({ method, params = [] }, ask) => {
        const [{ data }] = params as readonly [{ data: Hex }];
        const gas = BigInt((await ask(method, params)) as Hex);
        return numberToHex(callsInside(data).length > maxCalls ? gas / 2n : gas);
      },
    },
  };
}
