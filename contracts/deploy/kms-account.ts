import { GetPublicKeyCommand, type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { type Address, type Hex, hexToBytes, keccak256, parseSignature, serializeTransaction } from 'viem';
import { type LocalAccount, toAccount } from 'viem/accounts';
import { addressOfPublicKey, ethereumSignature } from '../../functions/adapters/aws/kms-signer.ts';

async function signDigest(kms: KMSClient, keyId: string, address: Address, digest: Hex): Promise<Hex> {
  const { Signature: der } = await kms.send(
    new SignCommand({
      KeyId: keyId,
      Message: hexToBytes(digest),
      MessageType: 'DIGEST',
      SigningAlgorithm: 'ECDSA_SHA_256',
    }),
  );
  return ethereumSignature(der ?? new Uint8Array(), digest, address);
}

/** Makes a viem account whose key stays in KMS. It signs transactions only, which is all that a deployment needs. */
export async function kmsAccount(kms: KMSClient, keyId: string): Promise<LocalAccount> {
  const { PublicKey: der } = await kms.send(new GetPublicKeyCommand({ KeyId: keyId }));
  const address = addressOfPublicKey(der ?? new Uint8Array());
  const refuse = () => Promise.reject(new Error('this account signs transactions only'));
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
