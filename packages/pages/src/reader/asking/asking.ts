import { knownChains, parseAddress, ReferenceInvalidError } from 'imprimatur-verifier';
import { GivenInvalidError } from '../given/given.ts';

/** Whom the reader wants to have asked: public providers, his own, or nobody, with a proof file and a block hash. */
export type Respondent = 'public' | 'own' | 'nobody';

export interface Asking {
  readonly whom: Respondent;
  /** RPC URLs of his own, as typed. */
  readonly urls: string;
  /** Addresses of registries in which corrections are looked for, beside the known ones, as typed. */
  readonly registries: string;
  /** Hash of the proof's block, as typed. */
  readonly blockHash: string;
}

/** The page's policy lets it ask these alone; any other would seem not to answer. */
function isReachable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname));
}

const itemsOf = (typed: string) => [...new Set(typed.split(/[\s,]+/).filter((item) => item !== ''))];

/** The registries that the reader named. @throws GivenInvalidError */
export function otherRegistriesIn({ registries }: Asking): readonly string[] {
  return itemsOf(registries).map((item) => {
    try {
      return parseAddress('a registry', item);
    } catch (error) {
      if (!(error instanceof ReferenceInvalidError)) throw error;
      throw new GivenInvalidError(`Other registries: ${error.message}.`);
    }
  });
}

function ownProviders(urls: string): string[] {
  const all = itemsOf(urls);
  if (all.length === 0) throw new GivenInvalidError('Give the URL of an RPC provider of your own.');
  // Which one is not repeated: it may hold a key.
  const place = all.findIndex((url) => !isReachable(url));
  if (place !== -1)
    throw new GivenInvalidError(
      `RPC provider ${place + 1} must be an https URL, or an http one of localhost or 127.0.0.1.`,
    );
  return all;
}

/** The providers to ask about a chain. @throws GivenInvalidError */
export function providersFor({ whom, urls }: Asking, chainId: number): readonly string[] {
  if (whom === 'own') return ownProviders(urls);
  const providers = knownChains[chainId]?.providers;
  if (providers) return providers;
  throw new GivenInvalidError(
    `No public RPC provider of chain ${chainId} is known here. Choose “My own provider”, and give the URL of one.`,
  );
}
