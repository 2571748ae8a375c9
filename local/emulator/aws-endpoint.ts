import { PlainError } from '../terminal/plain-error.ts';

export class EndpointUnusableError extends PlainError {
  override readonly name = 'EndpointUnusableError';
}

/** Where AWS is, as far as the local stack knows it: an emulator, and never an account. */
export interface AwsEndpoint {
  readonly url: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

type Variables = Readonly<Record<string, string | undefined>>;

/** An emulator that already runs, or the embedded one, takes any credentials; `test` is what both document. */
export function awsEndpoint(url: string, variables: Variables): AwsEndpoint {
  return {
    url: url.replace(/\/$/, ''),
    region: variables.AWS_REGION || variables.AWS_DEFAULT_REGION || 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
}

/** Whatever it answers, it is there. @throws EndpointUnusableError */
export async function reachEndpoint(url: string): Promise<void> {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new EndpointUnusableError('AWS_ENDPOINT_URL must be an http or https URL');
  try {
    await fetch(url, { signal: AbortSignal.timeout(10_000) });
  } catch (cause) {
    throw new EndpointUnusableError(`no emulator answers at AWS_ENDPOINT_URL, ${url}: is it running?`, {
      cause,
    });
  }
}

/** The options of every AWS SDK client. */
export function clientOptions({ url, region, credentials }: AwsEndpoint) {
  return { endpoint: url, region, credentials };
}

/** The environment of the CDK's command line. */
export function awsVariables({ url, region, credentials }: AwsEndpoint): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: url,
    AWS_ENDPOINT_URL_S3: url,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    // cdklocal drops every other AWS variable, these too unless they are named here.
    AWS_ENVAR_ALLOWLIST: 'AWS_REGION,AWS_DEFAULT_REGION,AWS_ACCESS_KEY_ID,AWS_SECRET_ACCESS_KEY',
  };
}
