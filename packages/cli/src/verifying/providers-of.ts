import { UsageInvalidError } from '../errors.ts';

type Verifier = typeof import('imprimatur-verifier');

/** Providers of a chain that are asked: those that were named, or the public ones. @throws UsageInvalidError */
export function providersOf(
  { knownChains }: Pick<Verifier, 'knownChains'>,
  rpc: readonly string[] | undefined,
  chainId: number,
): readonly string[] {
  const providers = rpc ?? knownChains[chainId]?.providers ?? [];
  if (providers.length === 0)
    throw new UsageInvalidError(
      `no RPC provider of chain ${chainId} is known here: name one, better two, with --rpc`,
    );
  return providers;
}
