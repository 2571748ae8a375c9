import { type Chain, defineChain } from 'viem';

/** viem's definition of a chain by its ID. Clients have their own transports. */
export const anyChain = (id: number): Chain =>
  defineChain({
    ...{ id, name: `chain ${id}`, rpcUrls: { default: { http: [] } } },
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  });
