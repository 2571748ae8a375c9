import { type Attestation, isTerminal } from '../attestation/attestation.ts';
import { findReadable } from '../attestation/attestation-records.ts';
import type { Services } from '../services.ts';

/** Maximum number of unfinished attestations to search. If there are more, an older one may exist. */
export const maxUnfinished = 1_000;

const pageSize = 50;

/** Later than any scheduled check. */
const endOfTime = '9999';

/** Yields unfinished attestations, oldest first. The sweep's index has all of them, but only keys; IDs begin with the time. */
export async function* unfinishedAttestations(
  services: Pick<Services, 'records' | 'log'>,
): AsyncGenerator<Attestation> {
  const due = await services.records.due(endOfTime, maxUnfinished);
  const keys = due
    .map(({ pk, sk }) => ({ organizationId: pk, id: sk }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  for (let from = 0; from < keys.length; from += pageSize) {
    const rows = await findReadable(services, keys.slice(from, from + pageSize));
    for (const row of rows) if (row && !isTerminal(row)) yield row;
  }
}
