import { attestationRegistryErrors } from 'imprimatur-contracts/attestation-registry-abi';
import { delegateForwarderErrors } from 'imprimatur-contracts/delegate-forwarder-abi';
import { BaseError, decodeErrorResult, type Hex, HttpRequestError, RpcRequestError } from 'viem';
import { CallRevertedError } from '../../domain/errors.ts';

/** Omits `RevertDataMissing`, which means that there is no reason. */
const forwarderErrors = delegateForwarderErrors.filter(({ name }) => name !== 'RevertDataMissing');

const abi = [...attestationRegistryErrors, ...forwarderErrors];

const unknownReason = 'the registry refused the call';

/** `RevealTooEarly` → "reveal too early". */
function toWords(errorName: string): string {
  return errorName.replaceAll(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

interface DecodedError {
  readonly errorName: string;
  readonly args?: readonly unknown[] | undefined;
}

/** `Error` is Solidity's own error, of `require(condition, text)`. */
function textOf({ errorName, args }: DecodedError): string {
  return errorName === 'Error' ? String(args?.[0]).replaceAll('\0', '') : toWords(errorName);
}

/** A forwarder cuts revert data at 256 bytes; zeros replace the rest of a long text. */
const missingBytes = '00'.repeat(1024);

export function reasonOf(data: Hex): string {
  try {
    const error: DecodedError = decodeErrorResult({ abi, data: `${data}${missingBytes}` });
    const isForwarderError = forwarderErrors.some((item) => 'name' in item && item.name === error.errorName);
    return `the ${isForwarderError ? 'forwarder' : 'registry'} refused: ${textOf(error)}`;
  } catch {
    return unknownReason;
  }
}

export function rpcRefusal(error: unknown): RpcRequestError | undefined {
  const refusal = error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError);
  return refusal instanceof RpcRequestError ? refusal : undefined;
}

/** Whether a node rejected a call's parameters, for example a block hash instead of a number. */
export function isParameterRefusal(error: unknown): boolean {
  return rpcRefusal(error)?.code === -32_602;
}

/** Geth's code for a revert. Other nodes use other codes, only the data, or data at the end of a text. */
const revertCode = 3;

/** Returns the contract's reason for a revert; `undefined` when the error is not a revert. */
export function revertOf(error: unknown): string | undefined {
  const refusal = rpcRefusal(error);
  if (!refusal) return undefined;
  const text = typeof refusal.data === 'string' ? refusal.data : '';
  const data = /0x[0-9a-f]+$/i.exec(text)?.[0] as Hex | undefined;
  const isRevert = refusal.code === revertCode || /\brevert/i.test(`${refusal.details} ${text}`);
  return isRevert || (data !== undefined && data === text) ? reasonOf(data ?? '0x') : undefined;
}

/** Awaits a simulated call. @throws CallRevertedError when the node answers with a revert */
export async function catchRevert<Result>(simulated: Promise<Result>): Promise<Result> {
  try {
    return await simulated;
  } catch (error) {
    const reason = revertOf(error);
    throw reason === undefined ? error : new CallRevertedError(reason);
  }
}

/** Throws an estimate's error, as CallRevertedError when the call needs more gas than EIP-7825 or a block allows. */
export function throwEstimateError(error: unknown): never {
  const words = rpcRefusal(error)?.details ?? '';
  // An allowance of zero means an account without money.
  if (/exceeds allowance \([1-9]|exceeds block gas limit|gas limit (?:is )?too high/i.test(words))
    throw new CallRevertedError('more gas than a transaction may use');
  throw error;
}

/** Whether a node rejected a transaction because it already has it, which is success. */
export function isAlreadyKnown(error: unknown): boolean {
  const words = rpcRefusal(error)?.details ?? '';
  return /already ?known|already imported|\bknown transaction/i.test(words);
}

/** Whether a node rejected a transaction because it may cost more than the node relays or the account has. */
export function isTooCostly(error: unknown): boolean {
  const words = rpcRefusal(error)?.details ?? '';
  return /exceeds the configured cap|fee ?cap exceeded|(insufficient|enough) ?(funds|balance)|upfront cost exceeds/i.test(
    words,
  );
}

/** The provider's gateway rejected a request before it reached a node, for example because of an unknown API key. */
export class GatewayRefusalError extends Error {
  override readonly name = 'GatewayRefusalError';
}

/** HTTP statuses of rejections by a gateway; some bodies look like a node's answer. */
const gatewayStatuses: readonly number[] = [401, 402, 403, 404, 407, 410];

export function throwIfGatewayRefused({ status, statusText }: Response): void {
  if (gatewayStatuses.includes(status)) throw new GatewayRefusalError(`HTTP ${status} ${statusText}`);
}

/** System errors of a connection that was not established. */
const notConnected: readonly unknown[] = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Whether a request cannot have reached a node. After other failures, such as a timeout, it may have. */
export function isUnreached(error: unknown): boolean {
  const isReason = (one: unknown) =>
    one instanceof GatewayRefusalError ||
    (one instanceof Error && 'code' in one && notConnected.includes(one.code));
  return error instanceof BaseError && error.walk(isReason) !== null;
}

/** Describes a provider's failure, without its URL and without the request. */
export function providerErrorText(error: unknown): string {
  if (error instanceof HttpRequestError)
    return ['HTTP', error.status, error.details].filter(Boolean).join(' ');
  if (error instanceof BaseError) return error.details || error.shortMessage;
  return error instanceof Error ? error.message : String(error);
}
