import { findLastBlockAt } from '../chain/block-at-time.ts';
import { defaultTimeoutMilliseconds, withDeadline } from '../chain/deadline.ts';
import { NodeRefusalError, Provider, ProviderFaultError, type RecordedRequest } from '../chain/provider.ts';
import type { RegistryEntry } from '../chain/registry-calls.ts';
import { type NamedEndpoint, nameEndpoints, type RpcEndpoint } from '../chain/rpc-endpoint.ts';
import { digestOfCid } from '../reference/content-cid.ts';
import { type AttestationReference, asReference } from '../reference/reference.ts';
import { parseAddress } from '../reference/reference-parts.ts';
import { compareText, hasQuoteRoot, type TextComparison } from '../text/compare-text.ts';
import { type InputText, readInputText } from '../text/input-text.ts';
import { type Judgment, judge } from './judge.ts';
import { type Evidence, type EvidenceQuery, readEvidence } from './read-evidence.ts';
import { isFound } from './read-record.ts';
import { describeEvidence, notices } from './sentences.ts';
import type { AttestationFacts, ProviderReport, Verdict } from './verdict.ts';

interface Witness {
  readonly provider: Provider;
  readonly evidence: Evidence;
}

export interface Answers {
  readonly witnesses: readonly Witness[];
  readonly reports: readonly ProviderReport[];
  /** Whether all answers about the attestation are equal. */
  readonly agree: boolean;
  readonly asked: readonly RecordedRequest[];
}

/** Serializes the part of the evidence in which all providers must agree. Their blocks may differ. */
const comparable = ({ registry, record }: Evidence) => JSON.stringify([registry ?? null, record ?? null]);

async function askProviders(
  endpoints: readonly NamedEndpoint[],
  query: EvidenceQuery,
  deadline: AbortSignal,
): Promise<Answers> {
  const asked: RecordedRequest[] = [];
  const witnesses: Witness[] = [];
  const askProvider = async (endpoint: NamedEndpoint): Promise<ProviderReport> => {
    const { name } = endpoint;
    const provider = new Provider(endpoint, deadline, (question) => asked.push(question));
    try {
      const evidence = await readEvidence(provider, query);
      witnesses.push({ provider, evidence });
      return { name, block: evidence.block, says: describeEvidence(evidence), answered: true };
    } catch (error) {
      if (!(error instanceof ProviderFaultError)) throw error;
      return { name, block: undefined, says: error.message, answered: false };
    }
  };
  const reports = await Promise.all(endpoints.map(askProvider));
  const agree = new Set(witnesses.map(({ evidence }) => comparable(evidence))).size <= 1;
  return { witnesses, reports, agree, asked };
}

/** Options of `verify`. */
export interface VerifyOptions {
  /** Trusted providers of the chain. Never take them from a proof, a page or a link. */
  readonly providers: readonly RpcEndpoint[];
  /** The exact text or the bytes of its file. */
  readonly text?: string | Uint8Array | undefined;
  /** Other registries to search for corrections, before those of `knownRegistries`. */
  readonly otherRegistries?: readonly string[] | undefined;
  /** The time at which a block's age is measured; default: now. */
  readonly now?: Date | undefined;
  /** Timeout for all providers; default: 60,000. */
  readonly timeoutMilliseconds?: number | undefined;
}

/** Requires a majority, because an attacker could otherwise block all providers but one. */
const hasMajority = ({ witnesses, reports }: Answers) => 2 * witnesses.length > reports.length;

const describeReports = ({ reports }: Answers) =>
  reports.map(({ name, says }) => `${name} ${says}`).join('; ');

function judgeAll(
  reference: AttestationReference,
  answers: Answers,
  text: TextComparison | undefined,
): Judgment {
  const [witness] = answers.witnesses;
  if (answers.reports.length === 0) return { outcome: 'unknown', reason: 'No provider was given.' };
  if (!witness || !hasMajority(answers))
    return { outcome: 'unknown', reason: `Too few providers answered: ${describeReports(answers)}.` };
  if (!answers.agree)
    return { outcome: 'unknown', reason: `The providers disagree: ${describeReports(answers)}.` };
  return judge(reference, witness.evidence, text);
}

/** Returns the provider that is furthest behind, whose block the others have too. */
function furthestBehind(witnesses: readonly Witness[]): Witness | undefined {
  const [first] = [...witnesses].sort((a, b) => a.evidence.block.number - b.evidence.block.number);
  return first;
}

/** Whether the reveal or the revocation is not known to be older than the final block. */
function isNotYetFinalFor({ evidence: { finalBlock, record } }: Witness): boolean {
  const { timestamp = 0, revokedAt = 0 } = record?.entry ?? {};
  return finalBlock === undefined || Math.max(timestamp, revokedAt) >= finalBlock.timestamp;
}

async function findRevealBlock({ provider, evidence }: Witness, attestedAt: number) {
  try {
    const { block } = evidence;
    const lastBlock = await findLastBlockAt(provider, attestedAt, block);
    return lastBlock && { number: lastBlock.number, depth: block.number - lastBlock.number + 1 };
  } catch (error) {
    // Many providers do not have old blocks, but the outcome does not depend on them.
    if (error instanceof NodeRefusalError || error instanceof ProviderFaultError) return undefined;
    throw error;
  }
}

/** Returns the facts of an entry. Every provider looks for the reveal's block, so none can exaggerate its depth. */
async function factsOf(entry: RegistryEntry, witnesses: readonly Witness[]): Promise<AttestationFacts> {
  const { digest, quoteRoot, authorityAddress, timestamp: attestedAt, revokedAt } = entry;
  const blocks = await Promise.all(witnesses.map((witness) => findRevealBlock(witness, attestedAt)));
  const [revealBlock] = blocks.filter((block) => block !== undefined).sort((a, b) => a.depth - b.depth);
  return { digest, quoteRoot, authorityAddress, attestedAt, revokedAt, revealBlock };
}

export interface Claim {
  readonly reference: AttestationReference;
  readonly input: InputText | undefined;
  readonly text: TextComparison | undefined;
  readonly now: Date;
}

export function claimOf(
  reference: AttestationReference,
  { text: raw, now = new Date() }: Pick<VerifyOptions, 'text' | 'now'>,
): Claim {
  if (raw === undefined) return { reference, input: undefined, text: undefined, now };
  const input = readInputText(raw);
  return { reference, input, text: compareText(input, digestOfCid(reference.contentCid)), now };
}

/** Makes the verdict from a judgment and the trusted evidence, if any. */
export async function makeVerdict(
  { reference, input, text, now }: Claim,
  judgment: Judgment,
  evidence: Evidence | undefined,
  { witnesses, reports, asked, isNotYetFinal }: Omit<Answers, 'agree'> & { readonly isNotYetFinal: boolean },
): Promise<Verdict> {
  const { block, registry, record } = evidence ?? {};
  const entry = record && isFound(reference, record) ? record.entry : undefined;
  const facts = {
    attestation: entry && (await factsOf(entry, witnesses)),
    notYetFinal: entry !== undefined && isNotYetFinal,
    firstAttestedBy: record?.firstAttestedBy,
    corrections: record?.corrections,
    quoteRootHolds: input && record?.entry && hasQuoteRoot(input, record.entry.quoteRoot),
    ...{ reference, text, registry, record, block },
  };
  return { ...judgment, ...facts, notices: notices(facts, reports, now), providers: reports, asked };
}

/**
 * Verifies an attestation, and the text if given, with only the chain. The outcome is `unknown` unless a majority of the
 * providers answers and all answers agree.
 * @throws ReferenceInvalidError, RpcUrlInvalidError
 */
export async function verify(
  claimed: AttestationReference | string,
  options: VerifyOptions,
): Promise<Verdict> {
  const reference = asReference(claimed);
  const endpoints = nameEndpoints(options.providers);
  const otherRegistries = (options.otherRegistries ?? []).map((address) =>
    parseAddress('a registry', address),
  );
  // Before the timeout of the providers starts, because a long text takes time.
  const claim = claimOf(reference, options);
  return withDeadline(options.timeoutMilliseconds ?? defaultTimeoutMilliseconds, async (deadline) => {
    const answers = await askProviders(endpoints, { reference, otherRegistries }, deadline);
    // If answers disagree or are too few, only the reports show them.
    const witness = answers.agree && hasMajority(answers) ? furthestBehind(answers.witnesses) : undefined;
    const isNotYetFinal = answers.witnesses.some(isNotYetFinalFor);
    return makeVerdict(claim, judgeAll(reference, answers, claim.text), witness?.evidence, {
      ...answers,
      isNotYetFinal,
    });
  });
}
