import { type Abi, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem';
import { type Address, knownChains } from '../verifier.ts';
import type { DelegationQuery } from './read-delegation.ts';

/** A call of a registry that an authority makes, as wallets, multisigs and scripts take it. It sends no coins. */
export interface RegistryCall {
  /** Name and types of the function, such as `delegate(address)`. */
  readonly signature: string;
  readonly args: readonly string[];
  readonly to: Address;
  readonly data: Hex;
}

/** @param signature of one of the functions with which an authority delegates; `delegateBySig` is not in the public interface */
function callOf(to: Address, signature: string, args: readonly unknown[]): RegistryCall {
  const abi: Abi = parseAbi([`function ${signature}`] as readonly string[]);
  return { signature, args: args.map(String), to, data: encodeFunctionData({ abi, args }) };
}

/** The call with which an authority delegates, in place of any delegation before; without a delegate, takes it back. */
export function delegationCall(registryAddress: Address, delegateAddress: Address | undefined): RegistryCall {
  return delegateAddress === undefined
    ? callOf(registryAddress, 'revokeDelegation()', [])
    : callOf(registryAddress, 'delegate(address)', [delegateAddress]);
}

/** The call with which an authority, or its delegate, withdraws an attestation for good. */
export function revocationCall(registryAddress: Address, attestationIndex: number): RegistryCall {
  return callOf(registryAddress, 'revokeAttestation(uint256)', [BigInt(attestationIndex)]);
}

/** A delegation, or its end, as an authority signs it. */
export interface DelegationIntent extends DelegationQuery {
  /** `undefined` takes the delegation back. */
  readonly delegateAddress: Address | undefined;
  /** The registry's `nonceOf` the authority: any change of the delegation counts it on. */
  readonly nonce: number;
  /** Last second since 1970 at which it may be sent. */
  readonly deadline: number;
}

/** The call with which anyone sends what an authority has signed. */
export function signedCall(intent: DelegationIntent, signature: Hex): RegistryCall {
  const { registryAddress, authorityAddress, delegateAddress = zeroAddress, nonce, deadline } = intent;
  const args = [authorityAddress, delegateAddress, BigInt(nonce), BigInt(deadline), signature];
  return callOf(registryAddress, 'delegateBySig(address,address,uint256,uint256,bytes)', args);
}

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
