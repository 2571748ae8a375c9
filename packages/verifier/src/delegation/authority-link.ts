import { getAddress, isAddress } from 'viem';
import type { Address } from '../verifier.ts';

/** Values that a link fills in on the page for authorities. With the wallet, the page checks all but the delegate. */
export interface AuthorityLink {
  readonly chainId?: number;
  readonly registryAddress?: Address;
  readonly delegateAddress?: Address;
  readonly authorityAddress?: Address;
  /** The attestation to revoke, in the form of `formatReference`. */
  readonly reference?: string;
}

const addresses = {
  registry: 'registryAddress',
  delegate: 'delegateAddress',
  authority: 'authorityAddress',
} as const;

/** Makes a link to the page. The fragment has the values, so no server receives them. */
export function authorityLink(page: string, link: AuthorityLink): string {
  const fragment = new URLSearchParams();
  if (link.chainId !== undefined) fragment.set('chain', String(link.chainId));
  for (const [name, field] of Object.entries(addresses)) {
    const address = link[field];
    if (address !== undefined) fragment.set(name, address);
  }
  if (link.reference !== undefined) fragment.set('attestation', link.reference);
  return `${page.split('#')[0]}#${fragment}`;
}

/** Parses a link's fragment, and names its invalid fields. */
export function parseAuthorityLink(fragment: string): { link: AuthorityLink; problems: readonly string[] } {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  const problems: string[] = [];
  const link: Record<string, Address | string | number> = {};
  for (const [name, field] of Object.entries(addresses)) {
    const text = params.get(name);
    const address = text === null ? undefined : tryParseAddress(text);
    if (address) link[field] = address;
    else if (text !== null) problems.push(name);
  }
  const chain = params.get('chain');
  if (chain !== null && /^[1-9]\d{0,15}$/.test(chain)) link.chainId = Number(chain);
  else if (chain !== null) problems.push('chain');
  const reference = params.get('attestation');
  if (reference !== null) link.reference = reference;
  return { link, problems };
}

/** Parses an address into its EIP-55 form; `undefined` if it is invalid, zero, or has a wrong checksum. */
export function tryParseAddress(text: string): Address | undefined {
  const trimmed = text.trim();
  return isAddress(trimmed) && BigInt(trimmed) !== 0n ? getAddress(trimmed) : undefined;
}
