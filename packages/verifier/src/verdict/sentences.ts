import { isPublicRegistry } from '../chain/known-registries.ts';
import { type Corrections, maxCorrections } from './read-corrections.ts';
import type { Evidence } from './read-evidence.ts';
import type { EarlierAttestation } from './read-record.ts';
import type { ProviderReport, Verdict } from './verdict.ts';

const maxDateSeconds = 8_640_000_000_000;

/** A block time, in seconds since 1970, as ISO 8601; as a number if it is beyond all dates. */
export function isoTime(timestamp: number): string {
  if (timestamp > maxDateSeconds) return `second ${timestamp}`;
  return new Date(timestamp * 1000).toISOString();
}

/** Why the next correction was not followed; `undefined` for `newest`. */
function describeEnd({ end, unfollowedCid }: Corrections): string | undefined {
  const next = `The next correction, ${unfollowedCid},`;
  const sentences = {
    newest: undefined,
    missing: `${next} is not attested in any registry that was searched.`,
    foreign: `${next} was attested only by other authorities.`,
    revoked: `${next} was revoked.`,
    loop: `${next} is part of the same chain of corrections: they form a loop.`,
    limit: `${next} was not followed: at most ${maxCorrections} corrections are followed.`,
  };
  return sentences[end];
}

function describeEarlier({ authorityAddress, attestedAt, revokedAt }: EarlierAttestation): string {
  const revoked = revokedAt === 0 ? '' : `, and revoked it at ${isoTime(revokedAt)}`;
  return `${authorityAddress} attested the same content first, at ${isoTime(attestedAt)}${revoked}.`;
}

export function describeEvidence({ registry, record }: Evidence): string {
  if (!registry) return 'reports no contract';
  if (!record?.entry) return `reports no entry of a known registry; code hash ${registry.codeHash}`;
  const { entry, indexByAuthority, firstAttestedBy, corrections } = record;
  return [
    `reports index ${indexByAuthority} for the content and authority`,
    `the entry is by ${entry.authorityAddress} at ${isoTime(entry.timestamp)}`,
    entry.revokedAt === 0 ? 'not revoked' : `revoked at ${isoTime(entry.revokedAt)}`,
    `names ${entry.childDigest ?? 'no successor'}`,
    corrections ? `corrections: ${corrections.followed.length}, end: ${corrections.end}` : undefined,
    firstAttestedBy ? `first attested by ${firstAttestedBy.authorityAddress}` : undefined,
    `code hash ${registry.codeHash}`,
  ]
    .filter((words) => words !== undefined)
    .join(', ');
}

const productionDelaySeconds = 60;
/** Every chain has a new block within this time, so a node without one is stale. */
const staleSeconds = 3600;

type Facts = Omit<Verdict, 'outcome' | 'reason' | 'notices' | 'providers' | 'asked'>;

const codeNotCompared = 'is recognized by its address as the public deployment; its code is not compared.';

function registryNotice({ registry }: Facts): string | undefined {
  const { version, codeIsKnown, revealDelaySeconds } = registry ?? {};
  if (version === undefined) return undefined;
  if (!codeIsKnown) return `The registry ${codeNotCompared}`;
  if (revealDelaySeconds === undefined || revealDelaySeconds >= productionDelaySeconds) return undefined;
  return (
    `The registry allows a reveal ${revealDelaySeconds} seconds after its commit, less than the usual ` +
    `${productionDelaySeconds}: someone who saw the content in transit may have attested it first.`
  );
}

function correctionNotice({ reference: { chainId }, registry, corrections }: Facts): string | undefined {
  if (!registry?.codeIsKnown) return undefined;
  const isUncompared = corrections?.followed.some((item) => isPublicRegistry(chainId, item.registryAddress));
  return isUncompared ? `The registry of a correction ${codeNotCompared}` : undefined;
}

function ageNotice({ block }: Facts, now: Date): string | undefined {
  if (!block || now.getTime() / 1000 - block.timestamp < staleSeconds) return undefined;
  return `It was read at a block of ${isoTime(block.timestamp)}: later changes, such as a revocation, are unknown.`;
}

function quoteNotice({ attestation, text, quoteRootHolds }: Facts): string | undefined {
  if (!attestation || !text?.isContent || quoteRootHolds) return undefined;
  return 'The quote root in the registry does not match this text: quotes of it cannot be proven, and proven quotes may not be in it.';
}

export function notices(facts: Facts, reports: readonly ProviderReport[], now: Date): string[] {
  const { attestation, notYetFinal, firstAttestedBy, corrections } = facts;
  const failed = reports.filter(({ answered }) => !answered);
  return [
    ageNotice(facts, now),
    notYetFinal
      ? `A chain reorganization may still remove the ${attestation?.revokedAt ? 'revocation' : 'attestation'}: its block is not known to be final.`
      : undefined,
    firstAttestedBy && describeEarlier(firstAttestedBy),
    corrections && describeEnd(corrections),
    ...(corrections?.unknownRegistries ?? []).map(
      (address) => `${address} is not a known registry, so it was not searched for corrections.`,
    ),
    attestation && registryNotice(facts),
    correctionNotice(facts),
    quoteNotice(facts),
    ...(attestation ? failed.map(({ name, says }) => `${name} ${says}.`) : []),
  ].filter((notice) => notice !== undefined);
}
