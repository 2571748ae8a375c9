import { decodeFunctionResult, encodeFunctionData, type Hex, isHex, parseAbi, zeroAddress } from 'viem';
import { type Address, type RegistryCode, type RequestFunction, recognizeRegistry } from '../verifier.ts';

const abi = parseAbi([
  'function delegations(address authority) view returns (address delegateAddress, uint256 timestamp)',
  'function nonceOf(address authority) view returns (uint256)',
]);

/** An authority's delegation in a registry at the newest block. */
export interface DelegationState {
  /** Check `version`: an unknown contract may do anything with a call. */
  readonly registry: RegistryCode;
  /** `undefined` if there is no delegate. */
  readonly delegateAddress: Address | undefined;
  /** Time of the delegation, in seconds since 1970. */
  readonly since: number;
  /** The nonce of the authority's next signature; `undefined` for a registry without `delegateBySig`. */
  readonly nonce: number | undefined;
}

/** There is no contract at the registry's address, or the node's answer is not hexadecimal. */
export class RegistryMissingError extends Error {
  override name = 'RegistryMissingError';
  constructor(registryAddress: Address, chainId: number) {
    super(`no registry is at ${registryAddress} on chain ${chainId}`);
  }
}

/** The node serves another chain, as a wallet does after a change of its network. */
export class WrongChainError extends Error {
  override name = 'WrongChainError';
  constructor(servedChainId: number, chainId: number) {
    super(`the node serves chain ${servedChainId}, not ${chainId}`);
  }
}

export interface DelegationQuery {
  readonly chainId: number;
  readonly registryAddress: Address;
  readonly authorityAddress: Address;
}

/** Reads an authority's delegation from an EIP-1193 provider. @throws RegistryMissingError, WrongChainError */
export async function readDelegation(
  node: RequestFunction,
  query: DelegationQuery,
): Promise<DelegationState> {
  // The chain ID is checked last, because a wallet may change its network between requests.
  const state = await readState(node, query).catch((error: unknown) => ({ error }));
  const servedChainId = Number(await node.request({ method: 'eth_chainId', params: [] } as never));
  if (servedChainId !== query.chainId) throw new WrongChainError(servedChainId, query.chainId);
  if ('error' in state) throw state.error;
  return state;
}

async function readState(
  node: RequestFunction,
  { chainId, registryAddress, authorityAddress }: DelegationQuery,
): Promise<DelegationState> {
  const request = async (method: string, ...params: unknown[]): Promise<Hex> => {
    const answer = await node.request({ method, params } as never);
    if (isHex(answer)) return answer;
    throw new RegistryMissingError(registryAddress, chainId);
  };
  const callView = (data: Hex) => request('eth_call', { to: registryAddress, data }, 'latest');
  const registry = recognizeRegistry(
    chainId,
    registryAddress,
    await request('eth_getCode', registryAddress, 'latest'),
  );
  if (!registry) throw new RegistryMissingError(registryAddress, chainId);
  if (registry.version === undefined)
    return { registry, delegateAddress: undefined, since: 0, nonce: undefined };
  const args = [authorityAddress] as const;
  const answer = await callView(encodeFunctionData({ abi, functionName: 'delegations', args }));
  const [delegate, timestamp] = decodeFunctionResult({ abi, functionName: 'delegations', data: answer });
  return {
    registry,
    delegateAddress: delegate === zeroAddress ? undefined : delegate,
    since: Number(timestamp),
    // The public deployment has no signed delegations.
    nonce: registry.codeIsKnown
      ? Number(await callView(encodeFunctionData({ abi, functionName: 'nonceOf', args })))
      : undefined,
  };
}
