import {
  againstProof,
  BlockHashInvalidError,
  besidePage,
  type OfflineVerdict,
  ofPage,
  type QuoteVerdict,
  type Verdict,
  verify,
  verifyOffline,
  verifyQuote,
} from 'imprimatur-verifier';
import { GivenInvalidError } from '../given/given.ts';
import type { AttestationSubject, Subject } from '../given/subject.ts';
import { type Asking, otherRegistriesIn, providersFor } from './asking.ts';

export type AnyVerdict = Verdict | QuoteVerdict | OfflineVerdict;

async function checkOffline({ proof, text }: AttestationSubject, blockHash: string): Promise<OfflineVerdict> {
  if (!proof) throw new GivenInvalidError('With nobody to ask, a proof file is needed. Add it.');
  try {
    return await verifyOffline(proof, { blockHash: blockHash.trim(), text });
  } catch (error) {
    if (!(error instanceof BlockHashInvalidError)) throw error;
    throw new GivenInvalidError('The block hash must be 0x and 64 hexadecimal digits.');
  }
}

/** The verdict, with what is to be known where a page was given, with its text or without. */
function asGiven<Answer extends Verdict>({ page, text }: AttestationSubject, verdict: Answer): Answer {
  if (page === undefined) return verdict;
  return text === undefined ? ofPage(verdict) : besidePage(verdict, page, text);
}

/** Checks what was given, and asks whom the reader chose, nobody else. @throws GivenInvalidError */
export async function check(subject: Subject, asking: Asking): Promise<AnyVerdict> {
  if ('quote' in subject) {
    const { quote } = subject;
    if (asking.whom === 'nobody')
      throw new GivenInvalidError('A quote proof cannot be checked without asking a provider.');
    const providers = providersFor(asking, quote.chainId);
    return verifyQuote(quote, { providers, otherRegistries: otherRegistriesIn(asking) });
  }
  if (asking.whom === 'nobody') return asGiven(subject, await checkOffline(subject, asking.blockHash));
  const { reference, text, proof } = subject;
  const providers = providersFor(asking, reference.chainId);
  const verdict = await verify(reference, { providers, text, otherRegistries: otherRegistriesIn(asking) });
  return asGiven(subject, proof ? againstProof(verdict, proof) : verdict);
}
