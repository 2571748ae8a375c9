import {
  type Address,
  BaseError,
  ContractFunctionZeroDataError,
  createPublicClient,
  type PublicClient,
  zeroAddress,
} from 'viem';
import { attestationRegistryAbi as abi } from '../contracts/artifacts/attestation-registry-abi.ts';
import { rpcTransport } from '../functions/adapters/rpc-transport.ts';
import type { ChainSettings } from '../functions/domain/settings.ts';
import type { ChainView } from './desk.ts';
import { ProvidersUnreachableError, RegistryMissingError } from './errors.ts';
import type { Providers } from './find-providers.ts';

/** A person waits for the answer, and can run the command again. */
const limits = { totalTimeoutMilliseconds: 6_000, retries: 1 };

export function connectChain(settings: ChainSettings, providers: Providers): ChainView {
  const { chainId } = settings;
  const client = createPublicClient({ transport: rpcTransport(providers.urls, chainId, limits) });
  const unreachable = (cause: unknown): never => {
    if (cause instanceof RegistryMissingError) throw cause;
    throw new ProvidersUnreachableError(chainId, providers.advice, { cause });
  };
  return {
    delegateOf: (authorityAddress) => readDelegate(client, settings, authorityAddress).catch(unreachable),
    balanceWei: (address) => client.getBalance({ address }).catch(unreachable),
  };
}

async function readDelegate(
  client: PublicClient,
  settings: ChainSettings,
  authorityAddress: Address,
): Promise<Address | null> {
  const { registryAddress: address } = settings;
  const view = { abi, address, functionName: 'delegations', args: [authorityAddress] } as const;
  try {
    const [delegateAddress] = await client.readContract(view);
    return delegateAddress === zeroAddress ? null : delegateAddress;
  } catch (error) {
    const isEmpty = (cause: unknown) => cause instanceof ContractFunctionZeroDataError;
    if (error instanceof BaseError && error.walk(isEmpty)) {
      throw new RegistryMissingError(settings, { cause: error });
    }
    throw error;
  }
}
