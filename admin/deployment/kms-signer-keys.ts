import {
  CreateAliasCommand,
  CreateKeyCommand,
  DisabledException,
  GetKeyPolicyCommand,
  GetPublicKeyCommand,
  type KMSClient,
  KMSInvalidStateException,
  NotFoundException,
  PutKeyPolicyCommand,
  ScheduleKeyDeletionCommand,
} from '@aws-sdk/client-kms';
import { addressOfPublicKey } from '../../functions/adapters/aws/kms-signer.ts';
import { SignerKeyLeftError } from '../terminal/errors.ts';
import type { SignerKey, SignerKeys } from './deployment.ts';

/** The shortest waiting period that KMS allows. */
const deletionDays = 7;

/** Makes `SignerKeys` on KMS, whose policy is that of the stack's own key: the same roles sign with it, and nobody else. */
export function kmsSignerKeys(kms: KMSClient, ownKeyId: string): SignerKeys {
  return {
    find: (alias) => findKey(kms, alias, ownKeyId),
    create: async (alias) => {
      const keyId = await createKey(kms, alias, await policyOf(kms, ownKeyId));
      return publicKey(kms, keyId);
    },
  };
}

/** A key that an earlier version made has another policy, by which no function signs: it gets that of the own key. */
async function findKey(
  kms: KMSClient,
  alias: string,
  ownKeyId: string,
): Promise<SignerKey | 'unusable' | undefined> {
  try {
    const key = await publicKey(kms, alias);
    const policy = await policyOf(kms, ownKeyId);
    if ((await policyOf(kms, key.keyId)) !== policy)
      await kms.send(new PutKeyPolicyCommand({ KeyId: key.keyId, Policy: policy }));
    return key;
  } catch (error) {
    if (error instanceof NotFoundException) return undefined;
    if (error instanceof DisabledException || error instanceof KMSInvalidStateException) return 'unusable';
    throw error;
  }
}

/** The id is the key's own ARN, so that an alias that is moved later changes nothing. */
async function publicKey(kms: KMSClient, name: string): Promise<SignerKey> {
  const { KeyId: keyId = name, PublicKey: der } = await kms.send(new GetPublicKeyCommand({ KeyId: name }));
  return { keyId, address: addressOfPublicKey(der ?? new Uint8Array()) };
}

async function policyOf(kms: KMSClient, keyId: string): Promise<string> {
  const { Policy: policy } = await kms.send(new GetKeyPolicyCommand({ KeyId: keyId }));
  if (!policy) throw new Error(`KMS gave no policy for ${keyId}`);
  return policy;
}

async function createKey(kms: KMSClient, alias: string, policy: string): Promise<string> {
  const { KeyMetadata: metadata } = await kms.send(
    new CreateKeyCommand({
      KeySpec: 'ECC_SECG_P256K1',
      KeyUsage: 'SIGN_VERIFY',
      Policy: policy,
      Description: `Signs transactions of Imprimatur as an operator of its forwarders: ${alias}`,
    }),
  );
  const keyId = metadata?.Arn ?? metadata?.KeyId ?? '';
  try {
    await kms.send(new CreateAliasCommand({ AliasName: alias, TargetKeyId: keyId }));
  } catch (error) {
    // A key without its alias would not be found again, and costs money.
    const deletion = new ScheduleKeyDeletionCommand({ KeyId: keyId, PendingWindowInDays: deletionDays });
    await kms.send(deletion).catch(() => {
      throw new SignerKeyLeftError(keyId, alias, { cause: error });
    });
    throw error;
  }
  return keyId;
}
