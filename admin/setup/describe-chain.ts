import { registryAddress } from 'imprimatur-contracts/deploy/registry-deployment';
import { knownRegistries, recognizeRegistry } from 'imprimatur-verifier';
import { type Chain, formatGwei, type PublicClient } from 'viem';
import { getBlock, getCode, getGasPrice } from 'viem/actions';
import type * as z from 'zod';
import type { chainSettingsSchema } from '../../functions/domain/settings.ts';

export type ChainInput = z.input<typeof chainSettingsSchema>;

/** Chains that setup offers, with the settings that setup does not derive; docs/operations/chains.md explains these. */
export const offeredChains: Readonly<Record<number, Partial<ChainInput> & { readonly name: string }>> = {
  1: { name: 'Ethereum', maxFeePerGasGwei: 50, dailyFeeBudget: 1 },
  8453: {
    ...{ name: 'Base', maxFeePerGasGwei: 5, minPriorityFeeGwei: 0.001, dailyFeeBudget: 0.1 },
  },
  42161: { name: 'Arbitrum One', maxFeePerGasGwei: 2, minPriorityFeeGwei: 0, dailyFeeBudget: 0.2 },
  11155111: { name: 'Sepolia', maxFeePerGasGwei: 20, confirmations: 32 },
};

/** Chain ID of anvil and other development chains, which finalize nothing. */
const developmentChainId = 31337;

/** Number of blocks to measure the block time over. */
const measuredBlocks = 1_000;

const revealDelaySeconds = 60;

/** Derives the settings of a chain from the chain itself, viem's list of chains, and `offeredChains`. */
export async function describeChain(client: PublicClient, chainId: number): Promise<ChainInput> {
  const known = await findChain(chainId);
  const explorerUrl = known?.blockExplorers?.default.url;
  const testnet = known?.testnet ?? chainId === developmentChainId;
  const offered = offeredChains[chainId] ?? {
    name: known?.name ?? `Chain ${chainId}`,
    maxFeePerGasGwei: await feeCapGwei(client),
    ...(chainId === developmentChainId ? { confirmations: 1 } : testnet && { confirmations: 32 }),
  };
  return {
    ...{ chainId, registryAddress: await registryOn(client, chainId), confirmations: 'finalized' },
    blockTimeSeconds: await blockTimeSeconds(client, known),
    ...(testnet && { testnet }),
    // Only OP-stack chains have this contract, which prices the fees besides gas.
    ...(known?.contracts?.gasPriceOracle && { rollup: 'opStack' }),
    ...offered,
    ...(explorerUrl !== undefined && { explorerUrl }),
  };
}

/** viem has several entries for 31337. */
async function findChain(chainId: number): Promise<Chain | undefined> {
  if (chainId === developmentChainId) return undefined;
  const chains: readonly Chain[] = Object.values(await import('viem/chains'));
  return chains.find(({ id }) => id === chainId);
}

/** Returns the first known registry that exists, otherwise the address at which setup deploys one. */
async function registryOn(client: PublicClient, chainId: number) {
  for (const address of knownRegistries(chainId)) {
    const code = await getCode(client, { address });
    if (code && recognizeRegistry(chainId, address, code)?.version !== undefined) return address;
  }
  return registryAddress(revealDelaySeconds);
}

async function blockTimeSeconds(client: PublicClient, known: Chain | undefined): Promise<number> {
  if (known?.blockTime !== undefined) return known.blockTime / 1000;
  const head = await getBlock(client, { blockTag: 'latest' });
  const distance = head.number < measuredBlocks ? head.number : BigInt(measuredBlocks);
  if (distance === 0n) return 1;
  const earlier = await getBlock(client, { blockNumber: head.number - distance });
  const measured = Number(head.timestamp - earlier.timestamp) / Number(distance);
  return Math.max(0.1, Math.round(measured * 10) / 10);
}

/** A cap far above the current price, so that attestations wait only while fees are unusual. */
async function feeCapGwei(client: PublicClient): Promise<number> {
  const price = Number(formatGwei(await getGasPrice(client)));
  return Number((Math.max(0.1, price) * 20).toPrecision(1));
}
