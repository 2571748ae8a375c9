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

/** Whether a domain vouches for the authority of an attestation. It does not change the verdict's outcome. */
export interface PublisherFinding extends ShownDomain {
  /**
   * `vouches`: domain and authority name each other, for the time of the attestation. `unknown`: the file could not be
   * read, there is no attestation, or a contract's signature could not be checked.
   */
  readonly outcome: 'vouches' | 'doesNotVouch' | 'unknown';
  /** One sentence. */
  readonly reason: string;
}

type CheckedVerdict = Pick<Verdict, 'reference' | 'attestation'>;

/** Returns the finding for a file that could not be read. @param why follows "its authorities file" in the reason */
export function unreadPublisher(domain: string, why: string): PublisherFinding {
  const shown = showDomain(domain);
  const reason = `It is unknown whether ${shown.domain} vouches: its authorities file ${why}.`;
  return { ...shown, outcome: 'unknown', reason };
}

/** Maximum number of entries to check, because each may need a request to every provider. */
const maxMatching = 8;

const secondsOf = (time: string) => Date.parse(time) / 1000;

function isWithin({ since, until }: AuthorityEntry, attestedAt: number): boolean {
  return attestedAt >= secondsOf(since) && (until === null || attestedAt <= secondsOf(until));
}

function matchingEntries(
  { authorities }: AuthoritiesFile,
  { reference: { authorityAddress, chainId } }: CheckedVerdict,
  attestedAt: number,
): readonly AuthorityEntry[] | string {
  const ofAuthority = authorities.filter(({ address }) => isAddressEqual(address, authorityAddress));
  if (ofAuthority.length === 0) return 'its authorities file does not name this authority';
  const onChain = ofAuthority.filter(({ chainIds }) => chainIds.includes(chainId));
  if (onChain.length === 0) return `its authorities file names this authority, but not on chain ${chainId}`;
  const matching = onChain.filter((entry) => isWithin(entry, attestedAt));
  if (matching.length > 0) return matching.slice(0, maxMatching);
  return `its authorities file names this authority, but not at the time of the attestation, ${isoTime(attestedAt)}`;
}

/**
 * Checks whether a domain vouches for the authority of a verified attestation. The caller fetches
 * `authoritiesUrl(domain)`, which reveals the reader to the domain.
 * @param verdict of `verify` or `verifyOffline`
 * @param file the domain's file; `undefined` if there is none
 * @throws DomainInvalidError, RpcUrlInvalidError
 */
export async function checkPublisher(
  verdict: CheckedVerdict,
  domain: string,
  file: string | Uint8Array | undefined,
  options: SignatureOptions = {},
): Promise<PublisherFinding> {
  const shown = showDomain(domain);
  const { authorityAddress, chainId } = verdict.reference;
  const name = shown.domain;
  const finding = (outcome: PublisherFinding['outcome'], reason: string) => ({ ...shown, outcome, reason });
  const doesNotVouch = (why: string) =>
    finding('doesNotVouch', `${name} does not vouch for ${authorityAddress}: ${why}.`);
  const { attestation } = verdict;
  if (!attestation) return finding('unknown', `There is no attestation that ${name} could vouch for.`);
  if (file === undefined) return doesNotVouch('it has no authorities file');
  let entries: readonly AuthorityEntry[] | string;
  try {
    entries = matchingEntries(parseAuthorities(file), verdict, attestation.attestedAt);
  } catch (error) {
    if (!(error instanceof AuthoritiesInvalidError)) throw error;
    return doesNotVouch(`its authorities file is invalid: ${error.message}`);
  }
  if (typeof entries === 'string') return doesNotVouch(entries);
  const states = new Set<string>();
  for (const entry of entries) {
    const state = await checkSignature(name, entry, chainId, options);
    const reason = `${name} and ${authorityAddress} name each other on chain ${chainId} from ${entry.since}.`;
    if (state === 'valid') return finding('vouches', reason);
    states.add(state);
  }
  if (!states.has('unknown')) return doesNotVouch('the authority did not sign the entry');
  return finding(
    'unknown',
    `It is unknown whether ${name} vouches: too few providers checked the signature of the contract ` +
      `${authorityAddress}, or they disagree.`,
  );
}
