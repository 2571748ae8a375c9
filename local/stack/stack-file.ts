import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Address } from 'viem';
import type { Emulator } from '../../lib/emulators.ts';
import { PlainError } from '../terminal/plain-error.ts';

/**
 * The file `stack.json` with the addresses of a running local stack, for tools, tests and the operators' command.
 */
export interface StackFile {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly organizationId: string;
  readonly authorityAddress: Address;
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly registryAddress: Address;
  /** Delegate of the publisher's authority: the signer, or the forwarder. */
  readonly delegateAddress: Address;
  /** Address of the signing key, which sends every transaction. */
  readonly signerAddress: Address;
  /** Forwarder through which the service acts for the authorities that delegate to it. */
  readonly forwarderAddress: Address;
  readonly revealDelaySeconds: number;
  readonly emulator: Emulator;
  readonly endpointUrl: string;
  readonly region: string;
  /** Name of the CloudFormation stack, if it is not the default. */
  readonly stackName?: string;
}

/** Error of a command that needs a running stack. */
export const stackMissing = (cause: unknown) =>
  new PlainError(
    'No local stack is running in this checkout. Start one with npm start, and keep it running.',
    { cause },
  );

export const stackFilePath = (directory: string): string => `${directory}/stack.json`;

/** Writes the file, readable only by its owner: it contains an API key. */
export function writeStackFile(directory: string, file: StackFile): void {
  removeStackFile(directory);
  writeFileSync(stackFilePath(directory), `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
}

export function removeStackFile(directory: string): void {
  rmSync(stackFilePath(directory), { force: true });
}

export function readStackFile(directory: string): StackFile {
  try {
    return JSON.parse(readFileSync(stackFilePath(directory), 'utf8'));
  } catch (cause) {
    throw stackMissing(cause);
  }
}
