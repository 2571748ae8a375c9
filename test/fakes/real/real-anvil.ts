import { type Anvil, startAnvil } from '../rpc/anvil.ts';

/** Starts an anvil whose first block has that time and which mines when told. */
export function startRealAnvil(timestamp: number): Promise<Anvil> {
  // EIP-7825's limit, which nodes enforce, and anvil only with this option.
  return startAnvil(['--timestamp', String(timestamp), '--no-mining', '--enable-tx-gas-limit']);
}
