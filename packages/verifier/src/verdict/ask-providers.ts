import { type AskedQuestion, Provider, ProviderFaultError } from '../chain/provider.ts';
import type { NamedEndpoint } from '../chain/rpc-endpoint.ts';
import { type Evidence, type EvidenceQuery, readEvidence } from './read-evidence.ts';
import type { ProviderReport } from './verdict.ts';
import { evidenceWords } from './words.ts';

/** A provider that answered, and what. */
export interface Witness {
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
export async function askProviders(
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
      return { name, block: evidence.block, says: evidenceWords(evidence), answered: true };
    } catch (error) {
      if (!(error instanceof ProviderFaultError)) throw error;
      return { name, block: undefined, says: error.message, answered: false };
    }
  };
  const reports = await Promise.all(endpoints.map(ask));
  const agree = new Set(witnesses.map(({ evidence }) => comparable(evidence))).size <= 1;
  return { witnesses, reports, agree, asked };
}
