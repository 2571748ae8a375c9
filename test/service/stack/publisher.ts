import { v7 as uuidv7 } from 'uuid';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { createApiKey } from '../../../functions/domain/organization/api-keys.ts';
import {
  createOrganization,
  type OrganizationLimits,
} from '../../../functions/domain/organization/organization.ts';
import { records } from './aws.ts';
import { delegate } from './chain.ts';
import { HttpClient } from './http-client.ts';
import { stack } from './running-stack.ts';

export interface Publisher {
  readonly organizationId: string;
  readonly apiKey: string;
  readonly keyId: string;
  readonly authority: PrivateKeyAccount;
  readonly api: HttpClient;
}

export interface PublisherOptions {
  readonly delegated?: boolean;
  readonly delegateAddress?: typeof stack.signerAddress;
  readonly defaultChain?: boolean;
  readonly limits?: OrganizationLimits;
}

export async function newPublisher(options: PublisherOptions = {}): Promise<Publisher> {
  const { delegated = true, delegateAddress = stack.signerAddress } = options;
  const authority = privateKeyToAccount(generatePrivateKey());
  if (delegated) await delegate(authority, delegateAddress);
  const organizationId = await newOrganization(authority, options);
  const issued = await createApiKey(records, { organizationId, mode: 'test', now: new Date() });
  return { organizationId, apiKey: issued.key, keyId: issued.id, authority, api: new HttpClient(issued.key) };
}

async function newOrganization(
  { address: authorityAddress }: PrivateKeyAccount,
  { defaultChain = true, limits }: PublisherOptions,
): Promise<string> {
  const id = uuidv7();
  const defaultChainId = defaultChain ? stack.chainId : null;
  const createdAt = new Date().toISOString();
  await createOrganization(records, {
    ...{ id, name: 'test', authorityAddress, defaultChainId, createdAt },
    ...(limits && { limits }),
  });
  return id;
}

export function article(words = 'a fresh article'): string {
  return `${words} ${crypto.randomUUID()}`;
}
