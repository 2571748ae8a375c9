import { type Attestation, isTerminal } from '../attestation/attestation.ts';
import { findReadable } from '../attestation/attestation-records.ts';
import type { Services } from '../services.ts';

/** Limit of unfinished attestations looked through: with more of them the oldest may be older than what is found. */
const maxLookedThrough = 1_000;

/** Attestations read at once. */
const readAtOnce = 50;

/** After every time at which the sweep is to look at an attestation. */
const endOfTime = '9999';

/** Finds the oldest unfinished attestation of a chain. All are in the sweep's index, which holds keys alone; ids begin with the time. */
export async function oldestUnfinished(
  services: Services,
  chainId: number,
): Promise<Attestation | undefined> {
  const due = await services.records.due(endOfTime, maxLookedThrough);
  const keys = due
    .map(({ pk, sk }) => ({ organizationId: pk, id: sk }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  for (let from = 0; from < keys.length; from += readAtOnce) {
    const rows = await findReadable(services, keys.slice(from, from + readAtOnce));
    const oldest = rows.find((row) => row && row.chainId === chainId && !isTerminal(row));
    if (oldest) return oldest;
  }
  return undefined;
}
