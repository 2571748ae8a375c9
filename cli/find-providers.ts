import type { SSMClient } from '@aws-sdk/client-ssm';
import { readRpcUrls } from '../functions/adapters/rpc-urls.ts';
import { RpcUrlsMissingError } from './errors.ts';
import type { Target } from './read-target.ts';

/** A chain's RPC URLs, which are secrets, and what to do when none of them answers. */
export interface Providers {
  readonly urls: readonly string[];
  readonly advice: string;
}

/** @throws RpcUrlsMissingError */
export async function findProviders(
  target: Target,
  chainId: number,
  { ssm, path }: { ssm: SSMClient; path: string },
): Promise<Providers> {
  if (target.kind === 'local' && target.chainId === chainId) {
    return { urls: [target.rpcUrl], advice: 'start the local stack again with npm start' };
  }
  const name = `${path}/${chainId}`;
  const advice = `check their URLs in the SSM parameter ${name}`;
  return { urls: await storedUrls(ssm, path, chainId), advice };
}

async function storedUrls(ssm: SSMClient, path: string, chainId: number): Promise<string[]> {
  try {
    return await readRpcUrls(ssm, path, chainId);
  } catch (error) {
    const { cause } = error as Error;
    // Anything but an absent or empty parameter is AWS's own refusal, which says more than we could.
    if (!(cause instanceof Error)) throw error;
    if (cause.name !== 'ParameterNotFound' && !cause.message.endsWith('is empty')) throw cause;
    throw new RpcUrlsMissingError(chainId, `${path}/${chainId}`, { cause });
  }
}
