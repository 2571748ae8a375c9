import { type Corrections, maxCorrections } from './read-corrections.ts';
import type { Evidence } from './read-evidence.ts';
import type { EarlierAttestation } from './read-record.ts';

const maxDateSeconds = 8_640_000_000_000;

/** A block time, in seconds since 1970, as ISO 8601; a time that no date has, as a provider may make it up, as a number. */
export function isoTime(timestamp: number): string {
  if (timestamp > maxDateSeconds) return `second ${timestamp}`;
  return new Date(timestamp * 1000).toISOString();
}

/** Why corrections were not followed further; `undefined` where there is nothing to tell. */
export function endOfCorrections({ end, unfollowedCid }: Corrections): string | undefined {
  const last = `The last correction names ${unfollowedCid}`;
  const told = {
    newest: undefined,
    missing: `${last}, which is not attested in a registry that was asked.`,
    foreign: `${last}, which only other authorities attested.`,
    revoked: `${last}, which was withdrawn.`,
    loop: `${last}, which it corrects itself: the corrections go in a circle.`,
    limit: `${last}; no more than ${maxCorrections} corrections are followed.`,
  };
  return told[end];
}

/** Named registries that are not known, in which nothing was looked for. */
export function unknownRegistriesWords({ unknownRegistries = [] }: Corrections): string[] {
  return unknownRegistries.map(
    (address) => `At ${address} is no registry that is known here: no correction was looked for there.`,
  );
}

/** The earlier attestation of the same content. */
export function earlierWords({ authorityAddress, attestedAt, revokedAt }: EarlierAttestation): string {
  const withdrawn = revokedAt === 0 ? '' : `, and withdrew it at ${isoTime(revokedAt)}`;
  return `${authorityAddress} attested the same content first, at ${isoTime(attestedAt)}${withdrawn}.`;
}

/** All that a provider says and that providers are compared by, in one line. */
export function evidenceWords({ registry, record }: Evidence): string {
  if (!registry) return 'says that there is no contract';
  if (!record?.entry) return `says that nothing is there; the code hash is ${registry.codeHash}`;
  const { entry, indexByAuthority, firstAttestedBy, corrections } = record;
  return [
    `says that the authority attested the content as ${indexByAuthority}`,
    `the entry is by ${entry.authorityAddress} at ${isoTime(entry.timestamp)}`,
    entry.revokedAt === 0 ? 'stands' : `withdrawn at ${isoTime(entry.revokedAt)}`,
    `names ${entry.childDigest ?? 'no successor'}`,
    corrections ? `${corrections.followed.length} corrections, then ${corrections.end}` : undefined,
    firstAttestedBy ? `first attested by ${firstAttestedBy.authorityAddress}` : undefined,
    `code hash ${registry.codeHash}`,
  ]
    .filter((words) => words !== undefined)
    .join(', ');
}
