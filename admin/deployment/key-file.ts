import { readFileSync } from 'node:fs';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { UsageInvalidError } from '../terminal/errors.ts';

/**
 * Reads a private key from the file that an option names.
 * @throws UsageInvalidError that does not repeat the path: it may be the key itself, given by mistake.
 */
export function readKeyFile(option: string, path: string): PrivateKeyAccount {
  const [, digits] = /^(?:0x)?([\da-f]{64})$/i.exec(readText(option, path)) ?? [];
  try {
    return privateKeyToAccount(`0x${digits}`);
  } catch {
    throw new UsageInvalidError(`the file of ${option} does not hold one private key in hexadecimal`);
  }
}

function readText(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new UsageInvalidError(`the file of ${option} cannot be read`);
  }
}
