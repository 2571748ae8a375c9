import { PlainError } from '../terminal/plain-error.ts';

/** The AWS endpoint of the local stack: an emulator, never an AWS account. */
export type AwsEndpoint = ReturnType<typeof awsEndpoint>;

type Variables = Readonly<Record<string, string | undefined>>;

/** Makes an endpoint with the credentials that emulators document. */
export function awsEndpoint(url: string, variables: Variables) {
  return {
    url: url.replace(/\/$/, ''),
    region: variables.AWS_REGION || variables.AWS_DEFAULT_REGION || 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
}

/** Checks that a server at the endpoint returns any response. @throws PlainError */
export async function checkEndpoint(url: string): Promise<void> {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new PlainError('AWS_ENDPOINT_URL must be an http or https URL');
  try {
    await fetch(url, { signal: AbortSignal.timeout(10_000) });
  } catch (cause) {
    const message = `No emulator responds at AWS_ENDPOINT_URL, ${url}. Start it, or unset the variable.`;
    throw new PlainError(message, { cause });
  }
}

/** Makes the options that every AWS SDK client gets. */
export function clientOptions({ url, region, credentials }: AwsEndpoint) {
  return { endpoint: url, region, credentials };
}

/** Makes the environment for the CDK's command line. */
export function awsVariables({ url, region, credentials }: AwsEndpoint): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: url,
    AWS_ENDPOINT_URL_S3: url,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    // cdklocal removes all AWS variables that this list does not name.
    AWS_ENVAR_ALLOWLIST: 'AWS_REGION,AWS_DEFAULT_REGION,AWS_ACCESS_KEY_ID,AWS_SECRET_ACCESS_KEY',
  };
}
