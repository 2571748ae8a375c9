/** A chain whose name and public RPC endpoints are known. */
export interface KnownChain {
  readonly name: string;
  /** The default: three public RPC endpoints of different operators, who can see which attestation is checked. */
  readonly providers: readonly string[];
}

/** The known chains by chain ID. */
export const knownChains: Readonly<Record<number, KnownChain>> = {
  1: {
    name: 'Ethereum',
    providers: [
      'https://ethereum-rpc.publicnode.com',
      'https://eth.drpc.org',
      'https://gateway.tenderly.co/public/mainnet',
    ],
  },
  8453: {
    name: 'Base',
    providers: ['https://base-rpc.publicnode.com', 'https://mainnet.base.org', 'https://base.drpc.org'],
  },
  42161: {
    name: 'Arbitrum One',
    providers: [
      'https://arbitrum-one-rpc.publicnode.com',
      'https://arb1.arbitrum.io/rpc',
      'https://arbitrum.drpc.org',
    ],
  },
  11155111: {
    name: 'Sepolia, a test network',
    providers: [
      'https://ethereum-sepolia-rpc.publicnode.com',
      'https://sepolia.drpc.org',
      'https://sepolia.gateway.tenderly.co',
    ],
  },
};
