import type { PrivateKeyAccount } from 'viem/accounts';
import { admin } from './admin.ts';
import { delegate, newAccount } from './chain.ts';
import { HttpClient } from './http-client.ts';
import { stack } from './running-stack.ts';

export interface Publisher {
  readonly organizationId: string;
  readonly apiKey: string;
  readonly keyId: string;
  readonly authority: PrivateKeyAccount;
  readonly api: HttpClient;
}

/** An organisation of its own for a test, so that tests do not see each other's attestations. */
export async function newPublisher({
  delegated = true,
  delegateAddress = stack.signerAddress,
  defaultChain = true,
} = {}): Promise<Publisher> {
  const authority = await newAccount();
  if (delegated) await delegate(authority, delegateAddress);
  const chain = defaultChain ? ['--default-chain', String(stack.chainId)] : [];
  const { id } = await admin('org', 'create', '--name', 'test', '--authority', authority.address, ...chain);
  const organizationId = String(id);
  const issued = await admin('key', 'create', '--org', organizationId, '--mode', 'test');
  const apiKey = String(issued.key);
  return { organizationId, apiKey, keyId: String(issued.id), authority, api: new HttpClient(apiKey) };
}

/** A content that no other test has. */
export function article(words = 'a fresh article'): string {
  return `${words} ${crypto.randomUUID()}`;
}
