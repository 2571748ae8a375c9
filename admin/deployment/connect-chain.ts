import type { SSMClient } from '@aws-sdk/client-ssm';
import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { type Address, decodeFunctionResult, encodeFunctionData, zeroAddress } from 'viem';
import { readRpcUrls } from '../../functions/adapters/aws/ssm-rpc-urls.ts';
import { callView } from '../../functions/adapters/chain/calls.ts';
import { feeDataReader } from '../../functions/adapters/chain/fee-data.ts';
import { connectProviders } from '../../functions/adapters/chain/providers.ts';
import { count, type Rpc } from '../../functions/adapters/chain/rpc.ts';
import { catchRevert } from '../../functions/adapters/chain/rpc-errors.ts';
import { CallRevertedError } from '../../functions/domain/errors.ts';
import type { ChainSettings } from '../../functions/domain/settings.ts';
import { CommandFailedError, RpcUrlsMissingError, storeUrlsCommand } from '../terminal/errors.ts';
import type { Target } from './target.ts';

/** Short limits, because an operator can run the command again. */
export const limits = { roundTimeoutMilliseconds: 6_000, retries: 1 };

/** What operators read from the newest block and pending transactions. Each function throws if no provider responds. */
export type ChainView = ReturnType<typeof connectChain>;

export function connectChain(settings: ChainSettings, { urls, advice }: Providers) {
  const { chainId } = settings;
  const providers = connectProviders(urls, settings, limits);
  const ask = <Answer>(question: (rpc: Rpc) => Promise<Answer>) =>
    providers.ask(question).catch((cause: unknown): never => {
      const message = `no RPC provider responds as chain ${chainId}; ${advice}`;
      throw new CommandFailedError(message, { cause });
    });
  const readFeeData = feeDataReader(settings);
  return {
    /** Delegate of the authority, or `null`. @throws CommandFailedError if there is no registry */
    delegateOf: async (registryAddress: Address, authority: Address): Promise<Address | null> => {
      const calldata = encodeFunctionData({ abi, functionName: 'delegations', args: [authority] });
      const data = await ask((rpc) => callView(rpc, registryAddress, calldata, 'latest'));
      if (data === '0x')
        throw new CommandFailedError(
          `there is no registry at ${registryAddress} on chain ${chainId}; check registryAddress in the settings`,
        );
      const [delegate] = decodeFunctionResult({ abi, functionName: 'delegations', data });
      return delegate === zeroAddress ? null : delegate;
    },
    /** Nonce of the authority's next signed delegation; `null` if the registry does not support signed ones. */
    nonceOf: (registryAddress: Address, authority: Address) =>
      ask((rpc) => readNonce(rpc, registryAddress, authority)),
    /** Fees now, and those of a rollup for a transaction with that calldata. */
    feeData: (calldataBytes: number) => ask((rpc) => readFeeData(rpc, zeroAddress, calldataBytes)),
    transactionCounts: (address: Address) => ask((rpc) => countTransactions(rpc, address)),
  };
}

/** Calls `nonceOf`. The public deployment does not have it: the call reverts or returns nothing. */
async function readNonce(rpc: Rpc, registryAddress: Address, authority: Address): Promise<number | null> {
  const view = { abi, functionName: 'nonceOf' } as const;
  const calldata = encodeFunctionData({ ...view, args: [authority] });
  try {
    const data = await catchRevert(callView(rpc, registryAddress, calldata, 'latest'));
    return data === '0x' ? null : Number(decodeFunctionResult({ ...view, data }));
  } catch (error) {
    if (error instanceof CallRevertedError) return null;
    throw error;
  }
}

export interface TransactionCounts {
  /** Number of mined transactions, which is the first unused nonce. */
  readonly mined: number;
  /** Number of mined transactions and of pending ones that the provider knows, which is the first free nonce. */
  readonly known: number;
}

async function countTransactions(rpc: Rpc, address: Address): Promise<TransactionCounts> {
  const [mined, known] = await Promise.all([
    rpc('eth_getTransactionCount', [address, 'latest'], count),
    rpc('eth_getTransactionCount', [address, 'pending'], count),
  ]);
  return { mined, known: Math.max(mined, known) };
}

/** RPC URLs of a chain, which are secrets, and the advice if none of them responds. */
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
    const replacement = `write the new ones to a file, one per line, and run ${storeUrlsCommand(name)}`;
    return { urls, advice: `check the stored URLs; to replace them, ${replacement}` };
  } catch (error) {
    const { cause } = error as Error;
    if (!(cause instanceof Error)) throw error;
    // Any other cause comes from AWS, or means that the stored text is not a list of URLs.
    if (cause.name !== 'ParameterNotFound' && !cause.message.endsWith('is empty')) throw cause;
    throw new RpcUrlsMissingError(chainId, name, { cause });
  }
}
