import {
  type AttestationReference,
  parseReference,
  ReferenceInvalidError,
  type Verdict,
  verify,
} from 'imprimatur-verifier';
import type { Connection } from '../wallet/use-wallet.ts';

/** An attestation that may be revoked, or why it cannot be. */
type Revocable = { readonly verdict: Verdict } | { readonly problem: string };

/** Asks the wallet's node. */
function lookUp(
  { wallet: { provider, name } }: Connection,
  reference: AttestationReference,
): Promise<Verdict> {
  const node = { name, request: (question: never) => provider.request(question) };
  return verify(reference, { providers: [node] });
}

/** Looks an attestation up through the wallet. */
export async function findAttestation(connection: Connection, line: string): Promise<Revocable> {
  try {
    const reference = parseReference(line.trim());
    if (reference.chainId !== connection.chainId)
      return { problem: `It is on chain ${reference.chainId}. Switch the wallet to that network first.` };
    const verdict = await lookUp(connection, reference);
    const stands = verdict.outcome === 'verified' || verdict.outcome === 'superseded';
    return stands ? { verdict } : { problem: verdict.reason };
  } catch (error) {
    if (error instanceof ReferenceInvalidError) return { problem: error.message };
    throw error;
  }
}

/** Whether an attestation is revoked at the newest block of the wallet's node. */
export const isRevoked = async (connection: Connection, reference: AttestationReference): Promise<boolean> =>
  (await lookUp(connection, reference)).outcome === 'revoked';
