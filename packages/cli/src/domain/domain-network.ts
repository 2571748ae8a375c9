import { request as requestHttp } from 'node:http';
import { type PublicNetwork, publicInternet } from 'imprimatur-verifier/network';
import { UsageInvalidError } from '../errors.ts';
import type { Session } from '../session.ts';

const variable = 'IMPRIMATUR_DOMAIN_ORIGIN';

/** @throws UsageInvalidError for an origin that is not of this machine */
function developmentOrigin(origin: string): URL {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  const isLocal = url && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (isLocal && url.protocol === 'http:') return url;
  throw new UsageInvalidError(`${variable} is for development: it must be an http origin on localhost`);
}

/** A network in which a server of this machine answers for every host. */
const networkOf = (origin: URL): PublicNetwork => ({
  ...publicInternet,
  request: ({ pathname, search }, options) => requestHttp(new URL(pathname + search, origin), options),
  isPublic: () => true,
});

export interface DomainNetwork {
  readonly network: PublicNetwork;
  /** What to tell of an answer for a domain: that a server of this machine gave it. */
  noticesOf(what: string, domain: string): readonly string[];
}

/** The public internet, or what the variables have in its place. @throws UsageInvalidError */
export function domainNetwork({ variables }: Pick<Session, 'variables'>): DomainNetwork {
  const given = variables[variable];
  if (!given) return { network: publicInternet, noticesOf: () => [] };
  const origin = developmentOrigin(given);
  return {
    network: networkOf(origin),
    noticesOf: (what, domain) => [
      `${variable} is set: ${what} was read from ${origin.origin}, and not from ${domain}.`,
    ],
  };
}
