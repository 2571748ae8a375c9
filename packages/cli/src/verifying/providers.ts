import { knownChains } from 'imprimatur-verifier';
import { UsageInvalidError } from '../errors.ts';

/** Returns the given RPC providers; by default, the chain's public ones, if any are known. */
export const findProviders = (rpc: readonly string[] | undefined, chainId: number): readonly string[] =>
  rpc ?? knownChains[chainId]?.providers ?? [];

/** Returns at least one provider. @throws UsageInvalidError if `findProviders` finds none */
export function requireProviders(
  rpc: readonly string[] | undefined,
  chainId: number,
  advice = 'pass one or, better, two with --rpc',
): readonly string[] {
  const providers = findProviders(rpc, chainId);
  if (providers.length > 0) return providers;
  throw new UsageInvalidError(`no public RPC provider of chain ${chainId} is known; ${advice}`);
}
