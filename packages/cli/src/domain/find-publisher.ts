import {
  checkPublisher,
  DomainInvalidError,
  type PublisherFinding,
  parseDomain,
  unreadPublisher,
  type Verdict,
} from 'imprimatur-verifier';
import type { Session } from '../session.ts';
import { domainNetwork, fetchAuthorities, ResponseUnreadableError } from './fetch.ts';

/** @throws ResponseUnreadableError, UsageInvalidError, DomainInvalidError */
export async function readAuthorities(domain: string, session: Session) {
  const { network, noticesOf } = domainNetwork(session);
  try {
    const file = await fetchAuthorities(domain, session.signal, network);
    return { file, notices: noticesOf('the authorities file', domain) };
  } catch (error) {
    session.signal.throwIfAborted();
    throw error;
  }
}

function parseHint(hint: string | undefined) {
  try {
    return hint === undefined ? undefined : parseDomain(hint);
  } catch (error) {
    if (error instanceof DomainInvalidError) return undefined;
    throw error;
  }
}

interface DomainOptions {
  /** The reader's choice; `false` to contact no domain. */
  readonly domain?: string | false | undefined;
  /** Domain that a proof file or a page names. */
  readonly hint?: string | undefined;
}

/**
 * Checks whether a domain vouches for the authority of an attestation. Returns `undefined` without a domain or an attestation.
 * @throws DomainInvalidError, UsageInvalidError
 */
export async function findPublisher(
  session: Session,
  verdict: Verdict,
  { domain: chosen, hint }: DomainOptions,
  providers: readonly string[],
): Promise<PublisherFinding | undefined> {
  const domain = chosen === undefined ? parseHint(hint) : chosen !== false && parseDomain(chosen);
  if (!domain || !verdict.attestation) return undefined;
  if (chosen === undefined)
    session.note(`checking whether ${domain} vouches for the authority (--no-domain skips this)`);
  try {
    const { file, notices } = await readAuthorities(domain, session);
    const finding = await checkPublisher(verdict, domain, file, { providers });
    return { ...finding, notices: [...notices, ...finding.notices] };
  } catch (error) {
    if (error instanceof ResponseUnreadableError) return unreadPublisher(domain, error.message);
    throw error;
  }
}
