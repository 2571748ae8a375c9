import type { Chain } from 'imprimatur-client';
import type { Address } from 'imprimatur-verifier';
import { authorityLink } from 'imprimatur-verifier/delegation';

/** Link to the page for authorities, which is beside this one, filled in for a chain. */
export const authorityPageLink = ({ chainId, registryAddress, delegateAddress, authorityAddress }: Chain) =>
  authorityLink(new URL('authority.html', location.href).href, {
    chainId,
    // The service checks the addresses, and the page checks them again.
    registryAddress: registryAddress as Address,
    delegateAddress: delegateAddress as Address,
    authorityAddress: authorityAddress as Address,
  });

/** Link to the page for readers, which is beside this one, for an attestation. */
export const readerPageLink = (reference: string) =>
  `${new URL('reader.html', location.href).href.split('#')[0]}#${reference}`;

/** Returns the URL if it is http or https, because a link with another scheme may run a script. */
export const webLink = (url: string | undefined) => (url && /^https?:\/\//i.test(url) ? url : undefined);
