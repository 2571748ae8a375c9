import { isAddressEqual } from 'viem';
import { isoTime } from '../verdict/sentences.ts';
import type { Verdict } from '../verdict/verdict.ts';
import {
  type AuthoritiesFile,
  AuthoritiesInvalidError,
  type AuthorityEntry,
  parseAuthorities,
} from './authorities-file.ts';
import { checkSignature, type SignatureOptions } from './check-signature.ts';
import { type ShownDomain, showDomain } from './domain.ts';

/** Whether a domain vouches for the authority of an attestation. The outcome of the verdict does not depend on it. */
export interface PublisherFinding extends ShownDomain {
  /**
   * `vouches`: domain and authority name each other, and did at the time of the attestation; `doesNotVouch`; `unknown`:
   * the file could not be read from the domain, nothing is attested, or nobody could say whether a contract signed.
   */
  readonly outcome: 'vouches' | 'doesNotVouch' | 'unknown';
  /** Why, in one plain sentence. */
  readonly reason: string;
}

type Judged = Pick<Verdict, 'reference' | 'attestation'>;

/** The finding where the file could not be read from the domain, in words that go on from "its file of authorities". */
export function unreadPublisher(domain: string, why: string): PublisherFinding {
  const shown = showDomain(domain);
  const reason = `It is unknown whether ${shown.domain} vouches: its authorities file ${why}.`;
  return { ...shown, outcome: 'unknown', reason };
}

/** More entries of one authority for one time are not looked at: each may cost a question to every provider. */
const maxFitting = 8;

const secondsOf = (time: string) => Date.parse(time) / 1000;

function isWithin({ since, until }: AuthorityEntry, attestedAt: number): boolean {
  return attestedAt >= secondsOf(since) && (until === null || attestedAt <= secondsOf(until));
}

/** Entries that fit an attestation, or why there are none. */
function fittingEntries(
  { authorities }: AuthoritiesFile,
  { reference: { authorityAddress, chainId } }: Judged,
  attestedAt: number,
): readonly AuthorityEntry[] | string {
  const own = authorities.filter(({ address }) => isAddressEqual(address, authorityAddress));
  if (own.length === 0) return 'its authorities file does not name this authority';
  const onChain = own.filter(({ chainIds }) => chainIds.includes(chainId));
  if (onChain.length === 0) return `its authorities file names this authority, but not on chain ${chainId}`;
  const fitting = onChain.filter((entry) => isWithin(entry, attestedAt));
  if (fitting.length > 0) return fitting.slice(0, maxFitting);
  return `its authorities file names this authority, but not at the time of the attestation, ${isoTime(attestedAt)}`;
}

/**
 * Checks whether a domain vouches for the authority of a verified attestation. Nothing is fetched here: the caller reads
 * `authoritiesUrl(domain)`, where readers want that, for the domain then learns of them.
 * @param verdict of `verify` or `verifyOffline`, whose attestation time the file is held against
 * @param file what the domain serves; `undefined` where it says that there is no such file
 * @throws DomainInvalidError, RpcUrlInvalidError
 */
export async function checkPublisher(
  verdict: Judged,
  domain: string,
  file: string | Uint8Array | undefined,
  options: SignatureOptions = {},
): Promise<PublisherFinding> {
  const shown = showDomain(domain);
  const { authorityAddress, chainId } = verdict.reference;
  const name = shown.domain;
  const found = (outcome: PublisherFinding['outcome'], reason: string) => ({ ...shown, outcome, reason });
  const not = (why: string) =>
    found('doesNotVouch', `${name} does not vouch for ${authorityAddress}: ${why}.`);
  const { attestation } = verdict;
  if (!attestation) return found('unknown', `There is no attestation for which ${name} could vouch.`);
  if (file === undefined) return not('it has no authorities file');
  let entries: readonly AuthorityEntry[] | string;
  try {
    entries = fittingEntries(parseAuthorities(file), verdict, attestation.attestedAt);
  } catch (error) {
    if (!(error instanceof AuthoritiesInvalidError)) throw error;
    return not(`its authorities file is invalid: ${error.message}`);
  }
  if (typeof entries === 'string') return not(entries);
  const states = new Set<string>();
  for (const entry of entries) {
    const state = await checkSignature(name, entry, chainId, options);
    const reason = `${name} and ${authorityAddress} name each other on chain ${chainId} since ${entry.since}.`;
    if (state === 'valid') return found('vouches', reason);
    states.add(state);
  }
  if (!states.has('unknown')) return not('the authority did not sign the entry');
  return found(
    'unknown',
    `It is unknown whether ${name} vouches: too few providers checked the signature of the contract ${authorityAddress}.`,
  );
}
