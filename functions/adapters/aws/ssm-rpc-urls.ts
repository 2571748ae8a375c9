import { GetParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';
import { ChainUnreachableError } from '../../domain/errors.ts';

/** The chain's RPC URLs, which are secrets: one SecureString, one URL a line. */
export async function readRpcUrls(ssm: SSMClient, path: string, chainId: number): Promise<string[]> {
  const name = `${path}/${chainId}`;
  try {
    const { Parameter: parameter } = await ssm.send(
      new GetParameterCommand({ Name: name, WithDecryption: true }),
    );
    const urls = (parameter?.Value ?? '').split(/\s+/).filter((url) => url !== '');
    if (urls.length === 0) throw new Error(`the SSM parameter ${name} is empty`);
    // Whoever tries to use such a thing quotes it, and the log knows URLs by their scheme.
    if (!urls.every((url) => /^https?:\/\//i.test(url) && URL.canParse(url))) {
      throw new Error(`the SSM parameter ${name} holds something that is not an http URL`);
    }
    return urls;
  } catch (cause) {
    throw new ChainUnreachableError(chainId, { cause });
  }
}
