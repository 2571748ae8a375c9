import { readFileSync } from 'node:fs';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { UsageInvalidError } from '../terminal/errors.ts';

/** Makes commander's parser of a file with a private key. An error does not repeat the path, which may be the key, given by mistake. */
export const readKeyFile =
  (option: string) =>
  (path: string): PrivateKeyAccount => {
    const [, digits] = /^(?:0x)?([\da-f]{64})$/i.exec(readText(option, path)) ?? [];
    try {
      return privateKeyToAccount(`0x${digits}`);
    } catch {
      throw new UsageInvalidError(`the file of ${option} does not hold one private key in hexadecimal`);
    }
  };

function readText(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new UsageInvalidError(`the file of ${option} cannot be read`);
  }
}
