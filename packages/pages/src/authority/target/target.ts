import type { Address } from 'imprimatur-verifier';
import { type AuthorityLink, addressIn, parseAuthorityLink } from 'imprimatur-verifier/delegation';

/** Fields as they are typed. */
export type TargetTexts = Readonly<Record<'chain' | 'registry' | 'delegate', string>>;

/** Where and to whom, as far as the fields say so in a usable way. */
export interface Target {
  readonly chainId: number | undefined;
  readonly registryAddress: Address | undefined;
  readonly delegateAddress: Address | undefined;
  /** The authority that the link is for. */
  readonly authorityAddress: Address | undefined;
  /** What is wrong with a field that is filled in, by its name. */
  readonly problems: Readonly<Record<keyof TargetTexts, string | undefined>>;
}

/** What the link that opened the page fills in. */
export interface Opened {
  readonly texts: TargetTexts;
  readonly link: AuthorityLink;
  /** Names of the link's fields that are not usable. */
  readonly problems: readonly string[];
}

export function openedWith(fragment: string): Opened {
  const { link, problems } = parseAuthorityLink(fragment);
  const { chainId, registryAddress = '', delegateAddress = '' } = link;
  const chain = chainId === undefined ? '' : String(chainId);
  return { texts: { chain, registry: registryAddress, delegate: delegateAddress }, link, problems };
}

function addressProblem(text: string, address: Address | undefined): string | undefined {
  if (text.trim() === '' || address) return undefined;
  return 'This is not an address, or its checksum is wrong.';
}

/** Reads the fields. */
export function targetOf(texts: TargetTexts, authorityAddress: Address | undefined): Target {
  const chain = texts.chain.trim();
  const chainId = /^[1-9]\d{0,15}$/.test(chain) ? Number(chain) : undefined;
  const registryAddress = addressIn(texts.registry);
  const delegate = addressIn(texts.delegate);
  const isRegistry = delegate !== undefined && delegate === registryAddress;
  const problems = {
    chain: chain === '' || chainId ? undefined : 'A chain ID is a whole number, such as 8453 for Base.',
    registry: addressProblem(texts.registry, registryAddress),
    delegate: isRegistry
      ? "This is the registry's address, not a delegate."
      : addressProblem(texts.delegate, delegate),
  };
  return {
    ...{ chainId, registryAddress, authorityAddress, problems },
    delegateAddress: isRegistry ? undefined : delegate,
  };
}
