import { getAddress } from 'viem';
import type { Address } from '../hex.ts';
import { parseDomain } from './domain.ts';

/** What an authority signs: all of an entry but its end, which the domain alone may set. */
export interface AuthorityStatement {
  readonly domain: string;
  readonly address: Address;
  readonly chainIds: readonly number[];
  readonly since: string;
}

/**
 * The text that an authority signs (EIP-191) to be named by a domain, without a line end after the last line. @throws
 * DomainInvalidError
 */
export function authorityMessage({ domain, address, chainIds, since }: AuthorityStatement): string {
  const name = parseDomain(domain);
  return [
    `I attest texts in the name of ${name}.`,
    '',
    'Attestation authority, version 1',
    `Domain: ${name}`,
    `Authority: ${getAddress(address)}`,
    `Chain IDs: ${chainIds.join(', ')}`,
    `Since: ${since}`,
  ].join('\n');
}
