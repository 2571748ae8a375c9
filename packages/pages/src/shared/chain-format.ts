import { knownChains } from 'imprimatur-verifier';

export const formatChain = (chainId: number) => {
  const name = knownChains[chainId]?.name;
  return name === undefined ? `chain ${chainId}` : `${name} (chain ${chainId})`;
};

/** A shortened address for use in sentences. */
export const shortAddress = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
