import {
  BlockHashInvalidError,
  compareWithProof,
  knownChains,
  type OfflineVerdict,
  parseAddress,
  type QuoteVerdict,
  ReferenceInvalidError,
  toPageVerdict,
  type Verdict,
  verify,
  verifyOffline,
  verifyQuote,
  withPageNotices,
} from 'imprimatur-verifier';
import { InputInvalidError } from '../input/input.ts';
import type { AttestationSubject, Subject } from '../input/subject.ts';

/** Source of chain data: public providers, the reader's providers, or none (a proof file and a block hash). */
export type SourceKind = 'public' | 'own' | 'none';

export interface ChainSource {
  readonly kind: SourceKind;
  /** RPC URLs as entered. */
  readonly urls: string;
  readonly registries: string;
  readonly blockHash: string;
}

/** The page's content security policy allows only these URLs. */
function isReachable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname));
}

const itemsOf = (typed: string) => [...new Set(typed.split(/[\s,]+/).filter((item) => item !== ''))];

/** @throws InputInvalidError */
export function otherRegistriesIn({ registries }: ChainSource): readonly string[] {
  return itemsOf(registries).map((item) => {
    try {
      return parseAddress('a registry', item);
    } catch (error) {
      if (!(error instanceof ReferenceInvalidError)) throw error;
      throw new InputInvalidError(`Other registries: ${error.message}.`);
    }
  });
}

function ownProviders(urls: string): string[] {
  const all = itemsOf(urls);
  if (all.length === 0) throw new InputInvalidError('Enter the URL of your RPC provider.');
  // The URL is not shown, because it may contain a key.
  const index = all.findIndex((url) => !isReachable(url));
  if (index !== -1)
    throw new InputInvalidError(
      `RPC provider ${index + 1} must be an https URL, or an http URL of localhost or 127.0.0.1.`,
    );
  return all;
}

/** Returns the providers for a chain. @throws InputInvalidError */
export function providersFor({ kind, urls }: ChainSource, chainId: number): readonly string[] {
  if (kind === 'own') return ownProviders(urls);
  const providers = knownChains[chainId]?.providers;
  if (providers) return providers;
  throw new InputInvalidError(
    `This page knows no public RPC provider of chain ${chainId}. Choose “My own RPC providers” and enter a URL.`,
  );
}

export type AnyVerdict = Verdict | QuoteVerdict | OfflineVerdict;

async function checkOffline({ proof, text }: AttestationSubject, blockHash: string): Promise<OfflineVerdict> {
  if (!proof) throw new InputInvalidError('An offline check needs a proof file. Add it.');
  try {
    return await verifyOffline(proof, { blockHash: blockHash.trim(), text });
  } catch (error) {
    if (!(error instanceof BlockHashInvalidError)) throw error;
    throw new InputInvalidError('The block hash must be 0x and 64 hexadecimal digits.');
  }
}

/** Adjusts the verdict if a page was given, with or without its text. */
function adjustForPage<Answer extends Verdict>({ page, text }: AttestationSubject, verdict: Answer): Answer {
  if (page === undefined) return verdict;
  return text === undefined ? toPageVerdict(verdict) : withPageNotices(verdict, page, text);
}

/** Checks the input with the chosen providers only. @throws InputInvalidError */
export async function check(subject: Subject, source: ChainSource): Promise<AnyVerdict> {
  if ('quote' in subject) {
    const { quote } = subject;
    if (source.kind === 'none')
      throw new InputInvalidError('A quote proof cannot be checked offline. Choose an RPC provider.');
    const providers = providersFor(source, quote.chainId);
    return verifyQuote(quote, { providers, otherRegistries: otherRegistriesIn(source) });
  }
  if (source.kind === 'none') return adjustForPage(subject, await checkOffline(subject, source.blockHash));
  const { reference, text, proof } = subject;
  const providers = providersFor(source, reference.chainId);
  const verdict = await verify(reference, { providers, text, otherRegistries: otherRegistriesIn(source) });
  return adjustForPage(subject, proof ? compareWithProof(verdict, proof) : verdict);
}
