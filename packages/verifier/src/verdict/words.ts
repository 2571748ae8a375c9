import { isPublicRegistry } from '../chain/known-registries.ts';
import { type Corrections, maxCorrections } from './read-corrections.ts';
import type { Evidence } from './read-evidence.ts';
import type { EarlierAttestation } from './read-record.ts';
import type { ProviderReport, Verdict } from './verdict.ts';

const maxDateSeconds = 8_640_000_000_000;

/** A block time, in seconds since 1970, as ISO 8601; a time that no date has, as a provider may make it up, as a number. */
export function isoTime(timestamp: number): string {
  if (timestamp > maxDateSeconds) return `second ${timestamp}`;
  return new Date(timestamp * 1000).toISOString();
}

/** Why corrections were not followed further; `undefined` where there is nothing to tell. */
function endOfCorrections({ end, unfollowedCid }: Corrections): string | undefined {
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

/** The earlier attestation of the same content. */
function earlierWords({ authorityAddress, attestedAt, revokedAt }: EarlierAttestation): string {
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

const productionDelaySeconds = 60;
/** Every chain in use has a block in this time; a node without one stands still. */
const staleSeconds = 3600;

type Facts = Omit<Verdict, 'outcome' | 'reason' | 'notices' | 'providers' | 'asked'>;

const uncompared = 'is the public deployment by its address; its code is not compared with any.';

function registryNotice({ registry }: Facts): string | undefined {
  const { version, codeIsKnown, revealDelaySeconds } = registry ?? {};
  if (version === undefined) return undefined;
  if (!codeIsKnown) return `The registry ${uncompared}`;
  if (revealDelaySeconds === undefined || revealDelaySeconds >= productionDelaySeconds) return undefined;
  return (
    `The registry lets content be revealed ${revealDelaySeconds} seconds after its commit, less than the usual ` +
    `${productionDelaySeconds}: one who saw it on its way may have been first.`
  );
}

function correctionNotice({ reference: { chainId }, registry, corrections }: Facts): string | undefined {
  if (!registry?.codeIsKnown) return undefined;
  const isUncompared = corrections?.followed.some((one) => isPublicRegistry(chainId, one.registryAddress));
  return isUncompared ? `The registry of a correction ${uncompared}` : undefined;
}

function ageNotice({ block }: Facts, now: Date): string | undefined {
  if (!block || now.getTime() / 1000 - block.timestamp < staleSeconds) return undefined;
  return `It was read at a block of ${isoTime(block.timestamp)}: what happened since, such as a revocation, is not known.`;
}

function quoteNotice({ attestation, text, quoteRootHolds }: Facts): string | undefined {
  if (!attestation || !text?.isContent || quoteRootHolds) return undefined;
  return 'The quote root that the registry keeps is not that of this text: quotes of it cannot be proven, and what is proven need not be in it.';
}

/** Sentences that a reader should be told beside the outcome. */
export function notices(facts: Facts, reports: readonly ProviderReport[], now: Date): string[] {
  const { attestation, notYetFinal, firstAttestedBy, corrections } = facts;
  const silent = reports.filter(({ answered }) => !answered);
  return [
    ageNotice(facts, now),
    notYetFinal
      ? 'A reorganisation of the chain may still undo it: its block is not known to be final.'
      : undefined,
    firstAttestedBy && earlierWords(firstAttestedBy),
    corrections && endOfCorrections(corrections),
    ...(corrections?.unknownRegistries ?? []).map(
      (address) => `At ${address} is no registry that is known here: no correction was looked for there.`,
    ),
    attestation && registryNotice(facts),
    correctionNotice(facts),
    quoteNotice(facts),
    ...(attestation ? silent.map(({ name, says }) => `${name} ${says}.`) : []),
  ].filter((notice) => notice !== undefined);
}
