import { getAddress, isAddress } from 'viem';
import type { Address } from '../verifier.ts';

/** What a link to the page for authorities fills in. Nothing of it is believed: the page checks it with the wallet. */
export interface AuthorityLink {
  readonly chainId?: number;
  readonly registryAddress?: Address;
  readonly delegateAddress?: Address;
  readonly authorityAddress?: Address;
  /** An attestation to be revoked, as `formatReference` of the verifier writes it. */
  readonly reference?: string;
}

const addresses = {
  registry: 'registryAddress',
  delegate: 'delegateAddress',
  authority: 'authorityAddress',
} as const;

/** Makes a link to the page; what it says is in the fragment, which is sent to no server. */
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

/** Parses a link's fragment, and names the fields in it that are not usable. */
export function parseAuthorityLink(fragment: string): { link: AuthorityLink; problems: readonly string[] } {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  const problems: string[] = [];
  const link: Record<string, Address | string | number> = {};
  for (const [name, field] of Object.entries(addresses)) {
    const text = given.get(name);
    const address = text === null ? undefined : addressIn(text);
    if (address) link[field] = address;
    else if (text !== null) problems.push(name);
  }
  const chain = given.get('chain');
  if (chain !== null && /^[1-9]\d{0,15}$/.test(chain)) link.chainId = Number(chain);
  else if (chain !== null) problems.push('chain');
  const reference = given.get('attestation');
  if (reference !== null) link.reference = reference;
  return { link, problems };
}

/** The address in a text, in its EIP-55 form; `undefined` where it is none, has a wrong checksum or is zero. */
export function addressIn(text: string): Address | undefined {
  const trimmed = text.trim();
  return isAddress(trimmed) && BigInt(trimmed) !== 0n ? getAddress(trimmed) : undefined;
}
