import { GetPublicKeyCommand, type KMSClient } from '@aws-sdk/client-kms';
import { keccak256, parseSignature, serializeTransaction } from 'viem';
import { type LocalAccount, toAccount } from 'viem/accounts';
import { addressOfPublicKey, signDigest } from '../../functions/adapters/aws/kms-signer.ts';

/** Makes a viem account whose key stays in KMS. It signs transactions only, which is all that a deployment needs. */
export async function kmsAccount(kms: KMSClient, keyId: string): Promise<LocalAccount> {
  const { PublicKey: der } = await kms.send(new GetPublicKeyCommand({ KeyId: keyId }));
  const address = addressOfPublicKey(der ?? new Uint8Array());
  const refuse = () => Promise.reject(new Error('This account signs only transactions.'));
  return toAccount({
    address,
    signMessage: refuse,
    signTypedData: refuse,
    async signTransaction(transaction, { serializer = serializeTransaction } = {}) {
      const digest = keccak256(await serializer(transaction));
      const signature = await signDigest(kms, keyId, address, digest);
      return serializer(transaction, parseSignature(signature));
    },
  });
}
