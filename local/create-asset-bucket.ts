import type { AwsEndpoint } from './aws-endpoint.ts';
import { PlainError } from './plain-error.ts';

export class AssetBucketError extends PlainError {
  override readonly name = 'AssetBucketError';
}

/** The account of the credentials `test`, for LocalStack and MiniStack alike. */
const account = '000000000000';

/** S3 takes a bucket's region from its body, but for the one region that is the default. */
function location(region: string): RequestInit {
  if (region === 'us-east-1') return {};
  const constraint = `<LocationConstraint>${region}</LocationConstraint>`;
  const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';
  return {
    body: `<CreateBucketConfiguration xmlns="${namespace}">${constraint}</CreateBucketConfiguration>`,
  };
}

/**
 * Makes the bucket that the CDK puts function bundles in, unless it is there: all that the app needs of a bootstrap,
 * which takes longer than the deployment. @throws AssetBucketError
 */
export async function createAssetBucket({ url, region }: AwsEndpoint): Promise<void> {
  const bucket = `${url}/cdk-hnb659fds-assets-${account}-${region}`;
  const response = await fetch(bucket, { method: 'PUT', ...location(region) });
  if (!response.ok && response.status !== 409)
    throw new AssetBucketError(`the emulator refuses a bucket: ${response.status} ${response.statusText}`);
}
