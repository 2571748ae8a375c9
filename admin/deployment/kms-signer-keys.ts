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
import type { Address } from 'viem';
import { addressOfPublicKey } from '../../functions/adapters/aws/kms-signer.ts';
import { CommandFailedError } from '../terminal/errors.ts';

/** The shortest waiting period that KMS allows. */
const deletionDays = 7;

export interface SignerKey {
  readonly keyId: string;
  readonly address: Address;
}

/** The KMS keys of a deployment, besides the stack's own, by alias. */
export type SignerKeys = ReturnType<typeof kmsSignerKeys>;

/** Makes `SignerKeys` on KMS. The keys have the policy of the stack's key, so that the same roles sign. */
export function kmsSignerKeys(kms: KMSClient, stackKeyId: string) {
  return {
    find: (alias: string) => findKey(kms, alias, stackKeyId),
    create: async (alias: string) => {
      const keyId = await createKey(kms, alias, await policyOf(kms, stackKeyId));
      return publicKey(kms, keyId);
    },
  };
}

/** Returns `unusable` for a key that is disabled or scheduled for deletion. Updates a policy that differs from the stack's. */
async function findKey(
  kms: KMSClient,
  alias: string,
  stackKeyId: string,
): Promise<SignerKey | 'unusable' | undefined> {
  try {
    const key = await publicKey(kms, alias);
    const policy = await policyOf(kms, stackKeyId);
    if ((await policyOf(kms, key.keyId)) !== policy)
      await kms.send(new PutKeyPolicyCommand({ KeyId: key.keyId, Policy: policy }));
    return key;
  } catch (error) {
    if (error instanceof NotFoundException) return undefined;
    if (error instanceof DisabledException || error instanceof KMSInvalidStateException) return 'unusable';
    throw error;
  }
}

/** Uses the ARN as the key's id, because an alias can be moved. */
async function publicKey(kms: KMSClient, name: string): Promise<SignerKey> {
  const { KeyId: keyId = name, PublicKey: der } = await kms.send(new GetPublicKeyCommand({ KeyId: name }));
  return { keyId, address: addressOfPublicKey(der ?? new Uint8Array()) };
}

async function policyOf(kms: KMSClient, keyId: string): Promise<string> {
  // LocalStack finds no policy without its name.
  const { Policy: policy } = await kms.send(new GetKeyPolicyCommand({ KeyId: keyId, PolicyName: 'default' }));
  if (!policy) throw new Error(`KMS returned no policy for ${keyId}`);
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
    // A key without its alias is lost and costs money. Custodians cannot delete keys.
    const deletion = new ScheduleKeyDeletionCommand({ KeyId: keyId, PendingWindowInDays: deletionDays });
    await kms.send(deletion).catch(() => {
      const reason = error instanceof Error ? error.name : 'for an unknown reason';
      throw new CommandFailedError(
        `cannot create the alias ${alias} for the new key (${reason}), and cannot delete the key; ask an administrator to run ` +
          `aws kms schedule-key-deletion --key-id ${keyId} --pending-window-in-days ${deletionDays}, then rotate again`,
        { cause: error },
      );
    });
    throw error;
  }
  return keyId;
}

/** Alias of a deployment's n-th signing key besides the stack's own. */
export const signerAlias = (stackName: string, number: number): string =>
  `alias/imprimatur/${stackName}/signer-${number}`;
