import { keccak256 } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Signer } from '../../functions/domain/ports.ts';
import { signedBytes, unsignedBytes } from '../../functions/domain/raw-transaction.ts';

/** Signs with a new key in memory: what KMS takes is not the lane's. */
export function localSigner(): Signer {
  const account = privateKeyToAccount(generatePrivateKey());
  return {
    address: account.address,
    async sign(unsigned) {
      const signature = await account.sign({ hash: keccak256(unsignedBytes(unsigned)) });
      return { signature, hash: keccak256(signedBytes(unsigned, signature)) };
    },
  };
}
