import type { PublisherFinding, Verdict } from '../../verifier/verifier.ts';
import { UsageInvalidError } from '../errors.ts';
import type { Session } from '../session.ts';
import { AuthoritiesUnreadError, fetchAuthorities, fetchFromDevelopment } from './fetch-authorities.ts';

type Verifier = typeof import('../../verifier/verifier.ts');

/** What a domain serves; of a server of this machine in its place, that is told. */
export interface ServedAuthorities {
  readonly file: Uint8Array | undefined;
  readonly notices: readonly string[];
}

const variable = 'IMPRIMATUR_DOMAIN_ORIGIN';

/** @throws UsageInvalidError for an origin that is not of this machine */
function developmentOrigin(origin: string): URL {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  const isLocal = url && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (isLocal && url.protocol === 'http:') return url;
  throw new UsageInvalidError(`${variable} is for development: it must be an http origin on localhost`);
}

/** Reads a domain's file of authorities. @throws AuthoritiesUnreadError, UsageInvalidError, DomainInvalidError */
export async function readAuthorities(
  verifier: Verifier,
  domain: string,
  { signal, variables }: Session,
): Promise<ServedAuthorities> {
  const origin = variables[variable];
  try {
    if (!origin) return { file: await fetchAuthorities(verifier, domain, signal), notices: [] };
    const url = developmentOrigin(origin);
    const told = `${variable} is set: the file was read from ${url.origin}, and not from ${domain}.`;
    return { file: await fetchFromDevelopment(verifier, domain, url, signal), notices: [told] };
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** What is known of a publisher's domain: given by the reader, or only named by a proof file or a page. */
export interface DomainChoice {
  /** `false` where the reader wants none to be asked. */
  readonly domain?: string | false | undefined;
  readonly hint?: string | undefined;
}

/** The domain to ask; a hint that is no domain is none. @throws DomainInvalidError for what the reader gave */
function domainOf({ parseDomain, DomainInvalidError }: Verifier, { domain, hint }: DomainChoice) {
  if (domain !== undefined) return domain === false ? undefined : parseDomain(domain);
  try {
    return hint === undefined ? undefined : parseDomain(hint);
  } catch (error) {
    if (error instanceof DomainInvalidError) return undefined;
    throw error;
  }
}

/**
 * Asks a domain whether it vouches for the authority of an attestation that was found; `undefined` where there is no domain
 * to ask, or no attestation. @throws DomainInvalidError, UsageInvalidError
 */
export async function findPublisher(
  verifier: Verifier,
  session: Session,
  verdict: Verdict,
  choice: DomainChoice,
  providers: readonly string[],
): Promise<PublisherFinding | undefined> {
  const domain = domainOf(verifier, choice);
  if (domain === undefined || !verdict.attestation) return undefined;
  try {
    const { file, notices } = await readAuthorities(verifier, domain, session);
    const finding = await verifier.checkPublisher(verdict, domain, file, { providers });
    return { ...finding, notices: [...notices, ...finding.notices] };
  } catch (error) {
    if (error instanceof AuthoritiesUnreadError) return verifier.unreadPublisher(domain, error.message);
    throw error;
  }
}
