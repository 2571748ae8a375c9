import { BaseError, decodeErrorResult, ExecutionRevertedError, type Hex, isHex } from 'viem';
import { attestationRegistryAbi as abi } from '../../contracts/artifacts/attestation-registry-abi.ts';

function find(error: unknown, matches: (cause: unknown) => boolean): unknown {
  return error instanceof BaseError ? error.walk(matches) : null;
}

function revertData(error: unknown): Hex | undefined {
  const cause = find(error, (one) => isHex((one as { data?: unknown }).data)) as { data: Hex } | null;
  return cause?.data;
}

/** `RevealTooEarly` → "reveal too early". */
function inWords(errorName: string): string {
  return errorName.replaceAll(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

/** Why a call reverts, in the registry's words; `undefined` when the error is anything but a revert. */
export function revertOf(error: unknown): string | undefined {
  const data = revertData(error);
  const reverted = find(error, (one) => one instanceof ExecutionRevertedError);
  if (!reverted && (data === undefined || data === '0x')) return undefined;
  try {
    return `the registry refused: ${inWords(decodeErrorResult({ abi, data: data ?? '0x' }).errorName)}`;
  } catch {
    return 'the registry refused the call';
  }
}

/** A node that has the transaction already was sent it before: that is success. */
export function isAlreadyKnown(error: unknown): boolean {
  return error instanceof Error && /already known|already imported|known transaction/i.test(error.message);
}
