import { keccak256, type PrivateKeyAccount, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** Calldata costs by its bytes: the same accounts every time give the same gas every time. */
export function gasAccount(name: string): PrivateKeyAccount {
  return privateKeyToAccount(keccak256(toHex(`imprimatur bench ${name}`)));
}
