import { readFileSync } from 'node:fs';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { UsageInvalidError } from './errors.ts';

/** For local use and small teams; a multisig takes the printed calldata instead. */
export const adminKeyOption = [
  '--admin-key-file <path>',
  "a file with the private key of the forwarders' admin: the transactions are sent and not only printed",
] as const;

/** @throws UsageInvalidError that does not repeat the path: somebody may have given the key itself. */
export function readAdminKey(path: string | undefined): PrivateKeyAccount | undefined {
  if (path === undefined) return undefined;
  const [, digits] = /^(?:0x)?([\da-f]{64})$/i.exec(readText(path)) ?? [];
  try {
    return privateKeyToAccount(`0x${digits}`);
  } catch {
    throw new UsageInvalidError('the file of --admin-key-file does not hold one private key in hexadecimal');
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new UsageInvalidError('the file of --admin-key-file cannot be read');
  }
}
