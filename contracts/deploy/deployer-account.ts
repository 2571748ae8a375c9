import { KMSClient } from '@aws-sdk/client-kms';
import { type Account, privateKeyToAccount } from 'viem/accounts';
import { DeploymentError } from './deploy-contract.ts';
import { kmsAccount } from './kms-account.ts';

export const privateKeyVariable = 'IMPRIMATUR_DEPLOYER_PRIVATE_KEY';
export const kmsKeyVariable = 'IMPRIMATUR_DEPLOYER_KMS_KEY';

/**
 * Finds the account that pays, from the environment alone: an argument would stand in the shell's history and the list
 * of processes.
 * @throws DeploymentError
 */
export async function deployerAccount(environment: NodeJS.ProcessEnv): Promise<Account> {
  const privateKey = environment[privateKeyVariable];
  const kmsKey = environment[kmsKeyVariable];
  if (privateKey === undefined && kmsKey === undefined)
    throw new DeploymentError(`set ${privateKeyVariable} or ${kmsKeyVariable} to a funded key`);
  if (privateKey !== undefined && kmsKey !== undefined)
    throw new DeploymentError(`set ${privateKeyVariable} or ${kmsKeyVariable}, not both`);
  if (kmsKey !== undefined) return kmsAccount(new KMSClient(), kmsKey);
  if (!/^0x[0-9a-fA-F]{64}$/.test(privateKey ?? ''))
    throw new DeploymentError(`${privateKeyVariable} is not 0x and 64 hexadecimal digits`);
  return privateKeyToAccount(privateKey as `0x${string}`);
}
