import { lastBlockAt } from '../chain/block-at-time.ts';
import { defaultTimeoutMilliseconds, withDeadline } from '../chain/deadline.ts';
import { type AskedQuestion, NodeRefusalError, Provider, ProviderFaultError } from '../chain/provider.ts';
import type { RegistryEntry } from '../chain/registry-calls.ts';
import { type NamedEndpoint, nameEndpoints, type RpcEndpoint } from '../chain/rpc-endpoint.ts';
import { digestOfCid } from '../reference/content-cid.ts';
import { type AttestationReference, asReference } from '../reference/reference.ts';
import { parseAddress } from '../reference/reference-parts.ts';
import { compareText, hasQuoteRoot, type TextComparison } from '../text/compare-text.ts';
import { type GivenText, readGivenText } from '../text/given-text.ts';
import { type Judgement, judge } from './judge.ts';
import { type Evidence, type EvidenceQuery, readEvidence } from './read-evidence.ts';
import { isFound } from './read-record.ts';
import { describeEvidence, notices } from './sentences.ts';
import type { AttestationFacts, ProviderReport, RevealBlock, Verdict } from './verdict.ts';

/** A provider that answered, and what. */
interface Witness {
  readonly provider: Provider;
  readonly evidence: Evidence;
}

/** All providers' answers. */
export interface Answers {
  readonly witnesses: readonly Witness[];
  readonly reports: readonly ProviderReport[];
  /** Whether all that answered say the same of the attestation. */
  readonly agree: boolean;
  /** Grows while providers are asked. */
  readonly asked: readonly AskedQuestion[];
}

/** What must be the same at every provider; blocks need not be, for one sees them earlier than another. */
const comparable = ({ registry, record }: Evidence) => JSON.stringify([registry ?? null, record ?? null]);

/** Asks every provider on its own: none is told what another said. */
async function askProviders(
  endpoints: readonly NamedEndpoint[],
  query: EvidenceQuery,
  deadline: AbortSignal,
): Promise<Answers> {
  const asked: AskedQuestion[] = [];
  const witnesses: Witness[] = [];
  const ask = async (endpoint: NamedEndpoint): Promise<ProviderReport> => {
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
  const reports = await Promise.all(endpoints.map(ask));
  const agree = new Set(witnesses.map(({ evidence }) => comparable(evidence))).size <= 1;
  return { witnesses, reports, agree, asked };
}

/** Options of `verify`. */
export interface VerifyOptions {
  /** Providers of the chain. Never take them from a proof, a page or a link: who chooses the provider chooses the answer. */
  readonly providers: readonly RpcEndpoint[];
  /** The text: a file as its bytes, or a string exactly as attested. Without it nothing is said of a text. */
  readonly text?: string | Uint8Array | undefined;
  /** Other registries on the chain in which corrections are looked for, before those of `knownRegistries`. */
  readonly otherRegistries?: readonly string[] | undefined;
  /** The time at which a block's age is told; that of the machine without it. */
  readonly now?: Date | undefined;
  /** Milliseconds after which no provider is waited for; 60,000 without it. */
  readonly timeoutMilliseconds?: number | undefined;
}

/** With fewer answers an attacker could speak alone by keeping the others from answering. */
const suffices = ({ witnesses, reports }: Answers) => 2 * witnesses.length > reports.length;

const said = ({ reports }: Answers) => reports.map(({ name, says }) => `${name} ${says}`).join('; ');

function judgeAll(
  reference: AttestationReference,
  answers: Answers,
  text: TextComparison | undefined,
): Judgement {
  const [witness] = answers.witnesses;
  if (answers.reports.length === 0) return { outcome: 'unknown', reason: 'No provider was given.' };
  if (!witness || !suffices(answers))
    return { outcome: 'unknown', reason: `Too few providers answered: ${said(answers)}.` };
  if (!answers.agree) return { outcome: 'unknown', reason: `The providers disagree: ${said(answers)}.` };
  return judge(reference, witness.evidence, text);
}

/** The provider that is furthest behind: what it saw, the others saw too. */
function furthestBehind(witnesses: readonly Witness[]): Witness | undefined {
  const [first] = [...witnesses].sort((a, b) => a.evidence.block.number - b.evidence.block.number);
  return first;
}

/** Whether the reveal or the revocation is in a block that is not final: final are those of a second before the final one's. */
function isNotYetFinalFor({ evidence: { finalBlock, record } }: Witness): boolean {
  const { timestamp = 0, revokedAt = 0 } = record?.entry ?? {};
  return finalBlock === undefined || Math.max(timestamp, revokedAt) >= finalBlock.timestamp;
}

async function findRevealBlock(
  { provider, evidence }: Witness,
  attestedAt: number,
): Promise<RevealBlock | undefined> {
  try {
    const { block } = evidence;
    const found = await lastBlockAt(provider, attestedAt, block);
    return found && { number: found.number, depth: block.number - found.number + 1 };
  } catch (error) {
    // Many providers do not keep old blocks; the verdict does not depend on it.
    if (error instanceof NodeRefusalError || error instanceof ProviderFaultError) return undefined;
    throw error;
  }
}

/** The facts of an entry on which these providers agree. Each looks for the block: one alone makes nothing deeper. */
async function factsOf(entry: RegistryEntry, witnesses: readonly Witness[]): Promise<AttestationFacts> {
  const { digest, quoteRoot, authorityAddress, timestamp: attestedAt, revokedAt } = entry;
  const blocks = await Promise.all(witnesses.map((witness) => findRevealBlock(witness, attestedAt)));
  const [revealBlock] = blocks.filter((block) => block !== undefined).sort((a, b) => a.depth - b.depth);
  return { digest, quoteRoot, authorityAddress, attestedAt, revokedAt, revealBlock };
}

/** What is said of which attestation. */
export interface Claim {
  readonly reference: AttestationReference;
  readonly given: GivenText | undefined;
  readonly text: TextComparison | undefined;
  readonly now: Date;
}

/** Reads the text that is given, and compares it with the content of the reference. */
export function claimOf(
  reference: AttestationReference,
  { text: given, now = new Date() }: Pick<VerifyOptions, 'text' | 'now'>,
): Claim {
  if (given === undefined) return { reference, given, text: undefined, now };
  const read = readGivenText(given);
  return { reference, given: read, text: compareText(read, digestOfCid(reference.contentCid)), now };
}

/** Draws the verdict from a judgement and the evidence that is believed; without any nothing is known but that. */
export async function conclude(
  { reference, given, text, now }: Claim,
  judgement: Judgement,
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
    quoteRootHolds: given && record?.entry && hasQuoteRoot(given, record.entry.quoteRoot),
    ...{ reference, text, registry, record, block },
  };
  return { ...judgement, ...facts, notices: notices(facts, reports, now), providers: reports, asked };
}

/**
 * Verifies an attestation from the chain alone, and the text if it is given. Everything that can go wrong outside of the
 * call ends in a verdict, `unknown` at worst.
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
  // Before the time of the providers begins: a long text takes some.
  const claim = claimOf(reference, options);
  return withDeadline(options.timeoutMilliseconds ?? defaultTimeoutMilliseconds, async (deadline) => {
    const answers = await askProviders(endpoints, { reference, otherRegistries }, deadline);
    // Answers that disagree, or are too few, are in the reports and nowhere else: they would be taken for facts.
    const witness = answers.agree && suffices(answers) ? furthestBehind(answers.witnesses) : undefined;
    const isNotYetFinal = answers.witnesses.some(isNotYetFinalFor);
    return conclude(claim, judgeAll(reference, answers, claim.text), witness?.evidence, {
      ...answers,
      isNotYetFinal,
    });
  });
}
