import { parseReference, ReferenceInvalidError, type Verdict, verify } from 'imprimatur-verifier';
import type { Connection } from '../wallet/use-wallet.ts';

/** An attestation that may be revoked, or why it cannot be. */
export type Revocable = { readonly verdict: Verdict } | { readonly problem: string };

/** Looks an attestation up through the wallet. */
export async function findAttestation(connection: Connection, line: string): Promise<Revocable> {
  try {
    const reference = parseReference(line.trim());
    if (reference.chainId !== connection.chainId)
      return { problem: `It is on chain ${reference.chainId}. Switch the wallet to that network first.` };
    const { provider, name } = connection.wallet;
    const node = { name, request: (question: never) => provider.request(question) };
    const verdict = await verify(reference, { providers: [node] });
    const stands = verdict.outcome === 'verified' || verdict.outcome === 'superseded';
    return stands ? { verdict } : { problem: verdict.reason };
  } catch (error) {
    if (error instanceof ReferenceInvalidError) return { problem: error.message };
    throw error;
  }
}
