import type { SSMClient } from '@aws-sdk/client-ssm';
import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  createPublicClient,
  type PublicClient,
  zeroAddress,
} from 'viem';
import { readRpcUrls } from '../../functions/adapters/aws/ssm-rpc-urls.ts';
import { rpcTransport } from '../../functions/adapters/chain/transport.ts';
import type { ChainSettings } from '../../functions/domain/settings.ts';
import { CommandFailedError, RegistryMissingError, RpcUrlsMissingError } from '../terminal/errors.ts';
import type { Target } from './target.ts';

/** A person waits for the answer and can run the command again. */
const limits = { totalTimeoutMilliseconds: 6_000, retries: 1 };

/** A chain at its newest block, as an operator reads it. Every function throws where no provider answers. */
export type ChainView = ReturnType<typeof connectChain>;

/** Connects a chain's view to its RPC providers. */
export function connectChain(settings: ChainSettings, providers: Providers) {
  const { chainId } = settings;
  const client = createPublicClient({ transport: rpcTransport(providers.urls, settings, limits) });
  const unreachable = (cause: unknown): never => {
    if (cause instanceof RegistryMissingError) throw cause;
    const says = `no RPC provider of chain ${chainId} answers as that chain; ${providers.advice}`;
    throw new CommandFailedError(says, { cause });
  };
  return {
    /** Delegate of the authority; `null` when there is none. @throws RegistryMissingError */
    delegateOf: (registryAddress: Address, authorityAddress: Address) =>
      readDelegate(client, { chainId, registryAddress }, authorityAddress).catch(unreachable),
    /** Nonce of the authority's next signed delegation; `null` at a registry that takes none. */
    nonceOf: (registryAddress: Address, authorityAddress: Address) =>
      readNonce(client, registryAddress, authorityAddress).catch(unreachable),
    balanceWei: (address: Address) => client.getBalance({ address }).catch(unreachable),
    transactionCounts: (address: Address) => countTransactions(client, address).catch(unreachable),
  };
}

async function readDelegate(
  client: PublicClient,
  registry: Pick<ChainSettings, 'chainId' | 'registryAddress'>,
  authorityAddress: Address,
): Promise<Address | null> {
  const { registryAddress: address } = registry;
  const view = { abi, address, functionName: 'delegations', args: [authorityAddress] } as const;
  try {
    const [delegateAddress] = await client.readContract(view);
    return delegateAddress === zeroAddress ? null : delegateAddress;
  } catch (error) {
    const isEmpty = (cause: unknown) => cause instanceof ContractFunctionZeroDataError;
    if (error instanceof BaseError && error.walk(isEmpty)) {
      throw new RegistryMissingError(registry, { cause: error });
    }
    throw error;
  }
}

/** The public deployment has no such view: there the call reverts, or answers nothing. */
async function readNonce(client: PublicClient, address: Address, authority: Address): Promise<number | null> {
  try {
    return Number(await client.readContract({ abi, address, functionName: 'nonceOf', args: [authority] }));
  } catch (error) {
    const isMissing = (cause: unknown) =>
      cause instanceof ContractFunctionZeroDataError || cause instanceof ContractFunctionRevertedError;
    if (error instanceof BaseError && error.walk(isMissing)) return null;
    throw error;
  }
}

/** Transactions of an account. */
export interface TransactionCounts {
  /** Those in blocks: the first nonce that is not used on the chain. */
  readonly mined: number;
  /** With those that the provider knows and that are in no block yet: the first nonce that is not taken. */
  readonly known: number;
}

/** A provider that is behind may know of fewer than another one has seen mined. */
async function countTransactions(client: PublicClient, address: Address): Promise<TransactionCounts> {
  const mined = await client.getTransactionCount({ address });
  const known = await client.getTransactionCount({ address, blockTag: 'pending' });
  return { mined, known: Math.max(mined, known) };
}

/** RPC URLs of a chain, which are secrets, and the action when none of them answers. */
export interface Providers {
  readonly urls: readonly string[];
  readonly advice: string;
}

/** Reads the RPC URLs of a chain. @throws RpcUrlsMissingError */
export async function findProviders(
  target: Target,
  chainId: number,
  { ssm, path }: { ssm: SSMClient; path: string },
): Promise<Providers> {
  if (target.kind === 'local' && target.chainId === chainId) {
    return { urls: [target.rpcUrl], advice: 'start the local stack again with npm start' };
  }
  const name = `${path}/${chainId}`;
  try {
    const urls = await readRpcUrls(ssm, path, chainId);
    return { urls, advice: `check their URLs in the SSM parameter ${name}` };
  } catch (error) {
    const { cause } = error as Error;
    // Any error other than an absent or empty parameter is AWS's own, and its message says more.
    if (!(cause instanceof Error)) throw error;
    if (cause.name !== 'ParameterNotFound' && !cause.message.endsWith('is empty')) throw cause;
    throw new RpcUrlsMissingError(chainId, name, { cause });
  }
}
