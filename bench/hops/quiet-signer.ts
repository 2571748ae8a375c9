import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import type { Address } from 'viem';
import { type AwsEndpoint, clientOptions } from '../../local/aws-endpoint.ts';
import { signerAddress } from '../../local/signer-address.ts';

/** A signing key of the bench's own, and so a lane that the deployed service knows nothing of. */
export async function createQuietSigner(
  endpoint: AwsEndpoint,
): Promise<{ SIGNING_KEY_ID: string; address: Address }> {
  const client = new KMSClient(clientOptions(endpoint));
  const create = new CreateKeyCommand({ KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY' });
  const { KeyMetadata: metadata } = await client.send(create);
  client.destroy();
  const id = metadata?.KeyId ?? '';
  return { SIGNING_KEY_ID: id, address: await signerAddress(endpoint, id) };
}
