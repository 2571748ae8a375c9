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
    return { file, notices: noticesOf('the file', domain) };
  } catch (error) {
    session.signal.throwIfAborted();
    throw error;
  }
}

/** What is known of a publisher's domain: given by the reader, or only named by a proof file or a page. */
interface DomainChoice {
  /** `false` where the reader wants none to be asked. */
  readonly domain?: string | false | undefined;
  readonly hint?: string | undefined;
}

/** The domain to ask; a hint that is no domain is none. @throws DomainInvalidError for what the reader gave */
function domainOf({ domain, hint }: DomainChoice) {
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
  session: Session,
  verdict: Verdict,
  choice: DomainChoice,
  providers: readonly string[],
): Promise<PublisherFinding | undefined> {
  const domain = domainOf(choice);
  if (domain === undefined || !verdict.attestation) return undefined;
  if (choice.domain === undefined)
    session.note(`asking ${domain} whether it vouches for the authority; --no-domain asks none`);
  try {
    const { file, notices } = await readAuthorities(domain, session);
    const finding = await checkPublisher(verdict, domain, file, { providers });
    return { ...finding, notices: [...notices, ...finding.notices] };
  } catch (error) {
    if (error instanceof AnswerUnreadError) return unreadPublisher(domain, error.message);
    throw error;
  }
}
