import { keccak256, type PrivateKeyAccount, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** Makes an account from its name. The gas of calldata depends on its bytes, so the same accounts give the same gas. */
export function gasAccount(name: string): PrivateKeyAccount {
  return privateKeyToAccount(keccak256(toHex(`imprimatur bench ${name}`)));
}
