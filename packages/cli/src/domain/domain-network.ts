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

/**
 * How the hosts of domains are reached: over the public internet, or what the variables have in its place, which a notice says
 * of each answer.
 */
export function domainNetwork({ variables }: Session) {
  const given = variables[variable];
  const origin = given ? developmentOrigin(given) : undefined;
  return {
    network: origin ? networkOf(origin) : publicInternet,
    noticesOf: (what: string, domain: string): readonly string[] =>
      origin ? [`${variable} is set: ${what} was read from ${origin.origin}, and not from ${domain}.`] : [],
  };
}
