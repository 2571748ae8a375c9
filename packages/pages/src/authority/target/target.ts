import type { Address } from 'imprimatur-verifier';
import { type AuthorityLink, parseAuthorityLink, tryParseAddress } from 'imprimatur-verifier/delegation';

export type TargetTexts = Readonly<Record<'chain' | 'registry' | 'delegate', string>>;

/** The valid values of the fields. */
export interface Target {
  readonly chainId: number | undefined;
  readonly registryAddress: Address | undefined;
  readonly delegateAddress: Address | undefined;
  readonly authorityAddress: Address | undefined;
  readonly problems: Readonly<Record<keyof TargetTexts, string | undefined>>;
}

/** Values from the link that opened the page. */
export interface LinkValues {
  readonly texts: TargetTexts;
  readonly link: AuthorityLink;
  readonly problems: readonly string[];
}

export function parseFragment(fragment: string): LinkValues {
  const { link, problems } = parseAuthorityLink(fragment);
  const { chainId, registryAddress = '', delegateAddress = '' } = link;
  const chain = chainId === undefined ? '' : String(chainId);
  return { texts: { chain, registry: registryAddress, delegate: delegateAddress }, link, problems };
}

function addressProblem(text: string, address: Address | undefined): string | undefined {
  if (text.trim() === '' || address) return undefined;
  return 'This is not an address, or its checksum is wrong.';
}

export function parseTarget(texts: TargetTexts, authorityAddress: Address | undefined): Target {
  const chain = texts.chain.trim();
  const chainId = /^[1-9]\d{0,15}$/.test(chain) ? Number(chain) : undefined;
  const registryAddress = tryParseAddress(texts.registry);
  const delegate = tryParseAddress(texts.delegate);
  const isRegistry = delegate !== undefined && delegate === registryAddress;
  const problems = {
    chain: chain === '' || chainId ? undefined : 'A chain ID is a whole number, such as 8453 for Base.',
    registry: addressProblem(texts.registry, registryAddress),
    delegate: isRegistry
      ? "This is the registry's address, not a delegate's."
      : addressProblem(texts.delegate, delegate),
  };
  return {
    ...{ chainId, registryAddress, authorityAddress, problems },
    delegateAddress: isRegistry ? undefined : delegate,
  };
}
