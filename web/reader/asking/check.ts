import {
  againstProof,
  BlockHashInvalidError,
  type OfflineVerdict,
  ofPage,
  type QuoteVerdict,
  type Verdict,
  verify,
  verifyOffline,
  verifyQuote,
} from '../../../verifier/verifier.ts';
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

/** Checks what was given, and asks whom the reader chose, nobody else. @throws GivenInvalidError */
export async function check(subject: Subject, asking: Asking): Promise<AnyVerdict> {
  if ('quote' in subject) {
    const { quote } = subject;
    if (asking.whom === 'nobody')
      throw new GivenInvalidError('A quote proof cannot be checked without asking a provider.');
    const providers = providersFor(asking, quote.chainId);
    return verifyQuote(quote, { providers, otherRegistries: otherRegistriesIn(asking) });
  }
  const { reference, text, proof, hasPage } = subject;
  const isOfPage = hasPage && text === undefined;
  if (asking.whom === 'nobody') {
    const verdict = await checkOffline(subject, asking.blockHash);
    return isOfPage ? { ...verdict, ...ofPage(verdict) } : verdict;
  }
  const providers = providersFor(asking, reference.chainId);
  const verdict = await verify(reference, { providers, text, otherRegistries: otherRegistriesIn(asking) });
  const compared = proof ? againstProof(verdict, proof) : verdict;
  return isOfPage ? ofPage(compared) : compared;
}
