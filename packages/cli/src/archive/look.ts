import { type Attestation, type ImprimaturClient, NotFoundError } from 'imprimatur-client';
import type { Patience } from './patience.ts';

/** Looks at attestations with few requests. */
export interface Looking {
  readonly client: Pick<ImprimaturClient, 'list' | 'get'>;
  readonly patience: Patience;
  readonly signal: AbortSignal;
}

const largestPage = 200;

/**
 * Reads attestations as they are now: from the list, newest first, as far as its pages have any of them, and by itself each
 * that is not there. `undefined` of one that the service does not know.
 */
export async function* lookAt(
  { client, patience, signal }: Looking,
  ids: readonly string[],
): AsyncGenerator<readonly [id: string, attestation: Attestation | undefined]> {
  const wanted = new Set(ids);
  let cursor: string | undefined;
  do {
    const page = await patience.run(() => client.list({ limit: largestPage, cursor, signal }));
    const found = page.attestations.filter(({ id }) => wanted.delete(id));
    for (const attestation of found) yield [attestation.id, attestation];
    // Others' pages may be many: what is left is asked for.
    cursor = found.length > 0 && wanted.size > 0 ? page.nextCursor : undefined;
  } while (cursor !== undefined);
  for (const id of wanted) {
    yield [id, await patience.run(() => client.get(id, { signal })).catch(unknownOnly)];
  }
}

function unknownOnly(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error;
}
