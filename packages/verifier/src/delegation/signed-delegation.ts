import { type Hex, isHex, zeroAddress } from 'viem';
import { Part } from '../part.ts';
import type { Address } from '../verifier.ts';
import { tryParseAddress } from './authority-link.ts';
import type { DelegationIntent } from './registry-call.ts';

/** EIP-712 types of `delegateBySig`, with the domain for `eth_signTypedData_v4`. */
const types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  Delegation: [
    { name: 'authority', type: 'address' },
    { name: 'delegateAddress', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const;

/** The EIP-712 typed data that an authority signs to delegate or to revoke. */
export function delegationTypedData(intent: DelegationIntent) {
  const { chainId, registryAddress, authorityAddress, nonce, deadline } = intent;
  return {
    domain: { name: 'AttestationRegistry', version: '1', chainId, verifyingContract: registryAddress },
    types,
    primaryType: 'Delegation' as const,
    message: {
      authority: authorityAddress,
      delegateAddress: intent.delegateAddress ?? zeroAddress,
      nonce,
      deadline,
    },
  };
}

/** A delegation with the authority's signature, which anyone may send. */
export interface SignedDelegation {
  readonly intent: DelegationIntent;
  readonly signature: Hex;
}

export class SignedDelegationInvalidError extends Error {
  override name = 'SignedDelegationInvalidError';
}

/** Formats a signed delegation as a file: the typed data and the signature. */
export function formatSignedDelegation({ intent, signature }: SignedDelegation): string {
  return `${JSON.stringify({ ...delegationTypedData(intent), signature }, undefined, 2)}\n`;
}

const maxBytes = 65_536;

const addressOf = (part: Part): Address =>
  tryParseAddress(part.text()) ?? part.refuse('is not an address with a valid checksum');

/** Wallets write numbers as JSON numbers or decimal strings. */
function wholeNumberOf(part: Part): number {
  const text = String(part.value);
  const value = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(value) ? value : part.fail('a whole number');
}

function intentIn(file: Part): DelegationIntent {
  const [domain, message] = [file.field('domain'), file.field('message')];
  const delegate = message.field('delegateAddress');
  const revokes = /^0x0{40}$/.test(String(delegate.value));
  const intent = {
    chainId: wholeNumberOf(domain.field('chainId')),
    registryAddress: addressOf(domain.field('verifyingContract')),
    authorityAddress: addressOf(message.field('authority')),
    delegateAddress: revokes ? undefined : addressOf(delegate),
    nonce: wholeNumberOf(message.field('nonce')),
    deadline: wholeNumberOf(message.field('deadline')),
  };
  const expected = delegationTypedData(intent);
  const isDelegation =
    domain.field('name').value === expected.domain.name &&
    domain.field('version').value === expected.domain.version &&
    file.field('primaryType').value === expected.primaryType;
  if (!isDelegation) file.refuse('is typed data, but does not describe a delegation');
  return intent;
}

/**
 * Parses the file of a signed delegation. The registry checks the signature.
 * @param signature replaces the one in the file
 * @throws SignedDelegationInvalidError
 */
export function parseSignedDelegation(text: string, signature?: string): SignedDelegation {
  const file = Part.ofFile(text, maxBytes, (problem) => new SignedDelegationInvalidError(problem), 'it');
  const intent = intentIn(file);
  const signatureHex = signature ?? file.field('signature').value;
  if (signatureHex === undefined) file.refuse('is not signed');
  if (!isHex(signatureHex) || signatureHex.length < 4 || signatureHex.length % 2 === 1)
    file.refuse('has a signature that is not 0x followed by hexadecimal bytes');
  return { intent, signature: signatureHex as Hex };
}
