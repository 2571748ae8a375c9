import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import type { Address } from 'viem';
import { addressOfPublicKey } from '../functions/adapters/kms-public-key.ts';
import { type AwsEndpoint, clientOptions } from './aws-endpoint.ts';

/** The address of the service's signing key: whom authorities delegate to, and who pays for transactions. */
export async function signerAddress(endpoint: AwsEndpoint, keyId: string): Promise<Address> {
  const kms = new KMSClient(clientOptions(endpoint));
  const { PublicKey: der } = await kms.send(new GetPublicKeyCommand({ KeyId: keyId }));
  kms.destroy();
  if (!der) throw new Error(`KMS gave no public key for ${keyId}`);
  return addressOfPublicKey(der);
}
