import {
  checkPublisher,
  DomainInvalidError,
  type PublisherFinding,
  parseDomain,
  unreadPublisher,
  type Verdict,
} from 'imprimatur-verifier';
import type { Session } from '../session.ts';
import { AnswerUnreadError, domainNetwork, fetchAuthorities } from './fetch.ts';

/** Reads a domain's file of authorities. @throws AnswerUnreadError, UsageInvalidError, DomainInvalidError */
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

/** A hint that is no domain is none. */
function hintedDomain(hint: string | undefined) {
  try {
    return hint === undefined ? undefined : parseDomain(hint);
  } catch (error) {
    if (error instanceof DomainInvalidError) return undefined;
    throw error;
  }
}

interface DomainChoice {
  /** What the reader gives: `false` where none is to be asked. */
  readonly domain?: string | false | undefined;
  /** What a proof file or a page names. */
  readonly hint?: string | undefined;
}

/**
 * Asks a domain whether it vouches for the authority of an attestation that was found; `undefined` where there is no domain
 * to ask, or no attestation. @throws DomainInvalidError, UsageInvalidError
 */
export async function findPublisher(
  session: Session,
  verdict: Verdict,
  { domain: given, hint }: DomainChoice,
  providers: readonly string[],
): Promise<PublisherFinding | undefined> {
  const domain = given === undefined ? hintedDomain(hint) : given !== false && parseDomain(given);
  if (!domain || !verdict.attestation) return undefined;
  if (given === undefined)
    session.note(`asking ${domain} whether it vouches for the authority (--no-domain skips this)`);
  try {
    const { file, notices } = await readAuthorities(domain, session);
    const finding = await checkPublisher(verdict, domain, file, { providers });
    return { ...finding, notices: [...notices, ...finding.notices] };
  } catch (error) {
    if (error instanceof AnswerUnreadError) return unreadPublisher(domain, error.message);
    throw error;
  }
}
