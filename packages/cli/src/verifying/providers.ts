import { knownChains } from 'imprimatur-verifier';
import { UsageInvalidError } from '../errors.ts';

/** The given RPC providers, or the public ones of the chain. */
export const knownProviders = (rpc: readonly string[] | undefined, chainId: number): readonly string[] =>
  rpc ?? knownChains[chainId]?.providers ?? [];

/** The same, but at least one. @throws UsageInvalidError */
export function providersOf(
  rpc: readonly string[] | undefined,
  chainId: number,
  advice = 'pass one or, better, two with --rpc',
): readonly string[] {
  const providers = knownProviders(rpc, chainId);
  if (providers.length > 0) return providers;
  throw new UsageInvalidError(`no public RPC provider of chain ${chainId} is known; ${advice}`);
}
