import { knownChains } from '../verifier.ts';
import type { RegistryCall } from './registry-call.ts';

/**
 * A shell command that sends the call with Foundry's `cast`. The node is `$RPC_URL`, since RPC URLs hold keys, or a public
 * one.
 */
export function castLine({ signature, args, to }: RegistryCall, chainId: number): string {
  const [provider] = knownChains[chainId]?.providers ?? [];
  const node = provider === undefined ? `:?the URL of a node of chain ${chainId}` : `:-${provider}`;
  const parts = [
    `cast send ${to}`,
    [`'${signature}'`, ...args].join(' '),
    `--chain ${chainId} --interactive`,
    `--rpc-url "\${RPC_URL${node}}"`,
  ];
  return parts.join(' \\\n  ');
}
