import { isPublicRegistry } from '../chain/known-registries.ts';
import type { ProviderReport, Verdict } from './verdict.ts';
import { earlierWords, endOfCorrections, isoTime, unknownRegistriesWords } from './words.ts';

const productionDelaySeconds = 60;
/** Every chain in use has a block in this time; a node without one stands still. */
const staleSeconds = 3600;

type Facts = Pick<
  Verdict,
  | 'reference'
  | 'attestation'
  | 'notYetFinal'
  | 'firstAttestedBy'
  | 'corrections'
  | 'text'
  | 'quoteRootHolds'
  | 'registry'
  | 'block'
>;

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
    ...(corrections ? unknownRegistriesWords(corrections) : []),
    attestation && registryNotice(facts),
    correctionNotice(facts),
    quoteNotice(facts),
    ...(attestation ? silent.map(({ name, says }) => `${name} ${says}.`) : []),
  ].filter((notice) => notice !== undefined);
}
