import { executeFunction } from 'imprimatur-contracts/delegate-forwarder-abi';
import { type Hex, numberToHex, toFunctionSelector } from 'viem';
import { callsInside } from '../../fakes/chain/contracts-model.ts';
import type { RpcRule } from '../../fakes/rpc/rpc-proxy.ts';

const execute = toFunctionSelector(executeFunction);

/** A provider that estimates a third of what a forwarder's batch of more than so many calls takes. */
export function shortEstimates(maxCalls: number): RpcRule {
  return {
    methods: ['eth_estimateGas'],
    fault: {
      kind: 'answered',
      by: async ({ method, params = [] }, ask) => {
        const [{ data }] = params as readonly [{ data: Hex }];
        const gas = BigInt((await ask(method, params)) as Hex);
        const isLong = data.startsWith(execute) && callsInside(data).length > maxCalls;
        return numberToHex(isLong ? gas / 3n : gas);
      },
    },
  };
}
