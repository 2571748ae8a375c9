import { GetParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';
import { ChainUnreachableError } from '../../domain/errors.ts';

/**
 * Reads the chain's RPC URLs, which are secrets, from one SecureString with one URL per line.
 *
 * @throws ChainUnreachableError when the parameter cannot be read, is empty, or holds anything but http URLs
 */
export async function readRpcUrls(ssm: SSMClient, path: string, chainId: number): Promise<string[]> {
  const name = `${path}/${chainId}`;
  try {
    const { Parameter: parameter } = await ssm.send(
      new GetParameterCommand({ Name: name, WithDecryption: true }),
    );
    const urls = (parameter?.Value ?? '').split(/\s+/).filter((url) => url !== '');
    if (urls.length === 0) throw new Error(`the SSM parameter ${name} is empty`);
    // A client that tries to use such a value quotes it, and the log recognises URLs by their scheme.
    if (!urls.every((url) => /^https?:\/\//i.test(url) && URL.canParse(url))) {
      throw new Error(`the SSM parameter ${name} holds something that is not an http URL`);
    }
    return urls;
  } catch (cause) {
    throw new ChainUnreachableError(chainId, { cause });
  }
}
