import { type Abi, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem';
import { type Address, knownChains } from '../verifier.ts';
import type { DelegationQuery } from './read-delegation.ts';

/** A call of a registry, in the parts that wallets, multisigs and scripts need. */
export interface RegistryCall {
  /** Name and types of the function, such as `delegate(address)`. */
  readonly signature: string;
  readonly args: readonly string[];
  readonly to: Address;
  readonly data: Hex;
}

function encodeCall(to: Address, signature: string, args: readonly unknown[]): RegistryCall {
  const abi: Abi = parseAbi([`function ${signature}`] as readonly string[]);
  return { signature, args: args.map(String), to, data: encodeFunctionData({ abi, args }) };
}

/** The call that sets an authority's delegate or, without one, revokes the delegation. */
export function delegationCall(registryAddress: Address, delegateAddress: Address | undefined): RegistryCall {
  return delegateAddress === undefined
    ? encodeCall(registryAddress, 'revokeDelegation()', [])
    : encodeCall(registryAddress, 'delegate(address)', [delegateAddress]);
}

/** The call that revokes an attestation. */
export function revocationCall(registryAddress: Address, attestationIndex: number): RegistryCall {
  return encodeCall(registryAddress, 'revokeAttestation(uint256)', [BigInt(attestationIndex)]);
}

/** A delegation or its revocation, for an authority to sign. */
export interface DelegationIntent extends DelegationQuery {
  /** `undefined` revokes the delegation. */
  readonly delegateAddress: Address | undefined;
  /** The registry's `nonceOf(authority)`; each change of the delegation increments it. */
  readonly nonce: number;
  /** Last time at which it may be sent, in seconds since 1970. */
  readonly deadline: number;
}

/** The call that sends a signed delegation; anyone may send it. */
export function signedDelegationCall(intent: DelegationIntent, signature: Hex): RegistryCall {
  const { registryAddress, authorityAddress, delegateAddress = zeroAddress, nonce, deadline } = intent;
  const args = [authorityAddress, delegateAddress, BigInt(nonce), BigInt(deadline), signature];
  return encodeCall(registryAddress, 'delegateBySig(address,address,uint256,uint256,bytes)', args);
}

/** A shell command that sends the call with Foundry's `cast`, to `$RPC_URL` or a public node. */
export function castCommand({ signature, args, to }: RegistryCall, chainId: number): string {
  const [provider] = knownChains[chainId]?.providers ?? [];
  const node = provider === undefined ? `:?set it to the URL of a node of chain ${chainId}` : `:-${provider}`;
  const parts = [
    `cast send ${to}`,
    [`'${signature}'`, ...args].join(' '),
    `--chain ${chainId} --interactive`,
    `--rpc-url "\${RPC_URL${node}}"`,
  ];
  return parts.join(' \\\n  ');
}
