import { type Acceptance, type AttestFields, DelegationInactiveError } from 'imprimatur-client';
import { chainNotServed } from './errors.ts';
import type { Session } from './session.ts';

/** Attests content. @throws CommandError for a chain that the service does not serve, and errors of the client */
export async function attestContent({ client, signal }: Session, content: string, fields: AttestFields) {
  try {
    return await client.attest(content, { ...fields, signal });
  } catch (error) {
    if (!(error instanceof DelegationInactiveError)) throw error;
    // If the list of chains cannot be read, throw the original refusal.
    const served = await client.chains({ signal }).catch(() => undefined);
    if (!served || served.some(({ chainId }) => chainId === error.chainId)) throw error;
    throw chainNotServed(error.chainId, served);
  }
}

/** Lists arguments that the service ignored, because the content was already attested. */
export async function ignoredNotes(
  { client, signal }: Pick<Session, 'client' | 'signal'>,
  { created, attestation: { id } }: Acceptance,
  { url, metadata }: { readonly url?: string | undefined; readonly metadata?: unknown },
): Promise<string[]> {
  if (created) return [];
  const notes: string[] = [];
  if (url !== undefined) {
    const storedUrl = (await client.get(id, { signal })).url;
    if (storedUrl !== url) notes.push(`already attested with ${storedUrl ?? 'no URL'}; ${url} is ignored`);
  }
  if (metadata !== undefined) notes.push('already attested; the stored metadata does not change');
  return notes;
}
