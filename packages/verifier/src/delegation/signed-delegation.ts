import { type Hex, isHex } from 'viem';
import type { Address } from '../verifier.ts';
import { addressIn } from './address.ts';
import type { DelegationIntent } from './registry-call.ts';
import { delegationTypedData } from './typed-data.ts';

/** A delegation with the authority's signature, which anyone may send. */
export interface SignedDelegation {
  readonly intent: DelegationIntent;
  readonly signature: Hex;
}

/** A text that is no signed delegation; the message says what is wrong with it. */
export class SignedDelegationInvalidError extends Error {
  override name = 'SignedDelegationInvalidError';
}

/** The file of a signed delegation: the typed data that was signed, and the signature beside it. */
export function formatSignedDelegation({ intent, signature }: SignedDelegation): string {
  return `${JSON.stringify({ ...delegationTypedData(intent), signature }, undefined, 2)}\n`;
}

type Fields = Readonly<Record<string, unknown>>;

function part(fields: Fields, name: string): Fields {
  const value = fields[name];
  if (typeof value === 'object' && value !== null) return value as Fields;
  throw new SignedDelegationInvalidError(`it has no ${name}: it is not typed data of EIP-712`);
}

function address(fields: Fields, name: string): Address {
  const value = addressIn(String(fields[name]));
  if (value) return value;
  throw new SignedDelegationInvalidError(`its ${name} is not an address with a right checksum`);
}

/** Wallets and tools write numbers as numbers or as decimal strings. */
function count(fields: Fields, name: string): number {
  const text = String(fields[name]);
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new SignedDelegationInvalidError(`its ${name} is not a whole number`);
}

function parsed(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Fields;
  } catch {
    // Told below.
  }
  throw new SignedDelegationInvalidError('it is not a JSON object');
}

function intentIn(fields: Fields): DelegationIntent {
  const [domain, message] = [part(fields, 'domain'), part(fields, 'message')];
  const revokes = /^0x0{40}$/.test(String(message.delegateAddress));
  const intent = {
    chainId: count(domain, 'chainId'),
    registryAddress: address(domain, 'verifyingContract'),
    authorityAddress: address(message, 'authority'),
    delegateAddress: revokes ? undefined : address(message, 'delegateAddress'),
    nonce: count(message, 'nonce'),
    deadline: count(message, 'deadline'),
  };
  const ours = delegationTypedData(intent);
  const isOurs =
    domain.name === ours.domain.name &&
    domain.version === ours.domain.version &&
    fields.primaryType === ours.primaryType;
  if (!isOurs) throw new SignedDelegationInvalidError('it is typed data of something else');
  return intent;
}

/**
 * Parses the file of a signed delegation. Whether the signature is the authority's the registry decides.
 *
 * @param signature in place of the one in the file: wallets of the command line print it alone
 * @throws SignedDelegationInvalidError
 */
export function parseSignedDelegation(text: string, signature?: string): SignedDelegation {
  const fields = parsed(text);
  const intent = intentIn(fields);
  const given = (signature ?? fields.signature) as unknown;
  if (given === undefined) throw new SignedDelegationInvalidError('it is not signed');
  if (!isHex(given) || given.length < 4 || given.length % 2 === 1)
    throw new SignedDelegationInvalidError('its signature is not bytes in hexadecimal, 0x in front');
  return { intent, signature: given };
}
