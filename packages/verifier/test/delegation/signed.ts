import { writeFileSync } from 'node:fs';
import type { PrivateKeyAccount } from 'viem';
import type { DelegationIntent } from '../../src/delegation/registry-call.ts';
import { delegationTypedData, formatSignedDelegation } from '../../src/delegation/signed-delegation.ts';

/** Signs typed data like a wallet, which receives it as JSON. */
export function signAsWallet(account: Pick<PrivateKeyAccount, 'signTypedData'>, typedData: object) {
  const { types, ...rest } = JSON.parse(JSON.stringify(typedData));
  const { EIP712Domain: _, ...structs } = types;
  return account.signTypedData({ ...rest, types: structs });
}

export async function writeSigned(
  path: string,
  account: Pick<PrivateKeyAccount, 'signTypedData'>,
  intent: DelegationIntent,
): Promise<string> {
  const signature = await signAsWallet(account, delegationTypedData(intent));
  writeFileSync(path, formatSignedDelegation({ intent, signature }));
  return path;
}
