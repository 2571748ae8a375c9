/**
 * RPC endpoints that anybody may use without a key, two of different operators a chain, by chain id: what is asked where
 * the reader names none. They limit how often they are asked, and learn which attestation is looked at.
 */
const knownProviders: Readonly<Record<number, readonly string[]>> = {
  1: ['https://ethereum-rpc.publicnode.com', 'https://eth.drpc.org'],
  8453: ['https://base-rpc.publicnode.com', 'https://mainnet.base.org'],
  42161: ['https://arbitrum-one-rpc.publicnode.com', 'https://arb1.arbitrum.io/rpc'],
  11155111: ['https://ethereum-sepolia-rpc.publicnode.com', 'https://sepolia.drpc.org'],
};

/** The endpoints of a chain; none of a chain that is not known here. */
export function providersOf(chainId: number): readonly string[] {
  return knownProviders[chainId] ?? [];
}
