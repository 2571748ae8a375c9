import { GetParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';
import { ChainUnreachableError } from '../../domain/errors.ts';

/** RPC URLs of a chain, with their ciphertext, which changes each time they are stored. */
export interface StoredRpcUrls {
  readonly encrypted: string;
  readonly urls: readonly string[];
}

/** Reads the chain's RPC URLs, which are secrets, from one SecureString with one URL per line. */
export async function readRpcUrls(ssm: SSMClient, path: string, chainId: number): Promise<string[]> {
  const name = `${path}/${chainId}`;
  try {
    return parseRpcUrls(await readParameter(ssm, name, true), `the SSM parameter ${name}`);
  } catch (cause) {
    throw new ChainUnreachableError(chainId, { cause });
  }
}

/** Decrypts the RPC URLs only if they changed, because decryption is billed. Returns `undefined` if not. */
export async function newerRpcUrls(
  ssm: SSMClient,
  path: string,
  chainId: number,
  last?: Pick<StoredRpcUrls, 'encrypted'>,
): Promise<StoredRpcUrls | undefined> {
  try {
    const encrypted = await readParameter(ssm, `${path}/${chainId}`, false);
    if (encrypted === last?.encrypted) return undefined;
    return { encrypted, urls: await readRpcUrls(ssm, path, chainId) };
  } catch (cause) {
    throw cause instanceof ChainUnreachableError ? cause : new ChainUnreachableError(chainId, { cause });
  }
}

async function readParameter(ssm: SSMClient, name: string, WithDecryption: boolean): Promise<string> {
  const { Parameter: parameter } = await ssm.send(new GetParameterCommand({ Name: name, WithDecryption }));
  return parameter?.Value ?? '';
}

/** Parses RPC URLs, one per line. @throws Error, without quoting any, when there are none or one is not an HTTP URL */
export function parseRpcUrls(text: string, source: string): string[] {
  const urls = text.split(/\s+/).filter((url) => url !== '');
  if (urls.length === 0) throw new Error(`${source} is empty`);
  // A client would quote an invalid value, and the log only recognizes URLs by their scheme.
  if (!urls.every((url) => /^https?:\/\//i.test(url) && URL.canParse(url)))
    throw new Error(`${source} contains something that is not an http URL`);
  return urls;
}
