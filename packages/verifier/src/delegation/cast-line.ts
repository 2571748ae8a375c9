import { knownChains } from '../verifier.ts';
import type { RegistryCall } from './registry-call.ts';

/**
 * Command for a shell that sends the call with `cast` of Foundry, which asks for the key. The node is the variable `RPC_URL`,
 * since RPC URLs hold keys; without it a public one, or an error that names the variable. With `--chain` the signature is
 * good on that chain only, whatever the node is.
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
