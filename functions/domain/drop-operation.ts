import type { Candidate } from './candidates.ts';
import { isOwed, type Outcome, outcomeChanges } from './outcome.ts';
import type { Chain } from './ports.ts';
import { queueOf, takeOperation } from './queue-records.ts';
import type { Services } from './services.ts';
import { wakeAll } from './wake.ts';

/**
 * Whether the attestation may fail with its operation: `failed` says that nothing of it appears on-chain afterwards, and
 * a reorganisation can send again a commit that is not final.
 */
export function mayFail({ operation, row }: Pick<Candidate, 'operation' | 'row'>): boolean {
  return operation.kind !== 'reveal' || !isOwed(row.commitPhase);
}

/**
 * Ends an operation that was never bound, in one write with its removal from the queue: so nothing of it can appear
 * on-chain afterwards. If somebody else bound it meanwhile, nothing happens.
 */
export async function dropOperation(
  services: Services,
  chain: Chain,
  { operation, row }: Pick<Candidate, 'operation' | 'row'>,
  outcome: Outcome,
): Promise<void> {
  const { revealDelaySeconds } = chain.settings;
  const done = await services.records.transact([
    takeOperation(queueOf(row, operation.kind), operation),
    ...outcomeChanges(row, operation, outcome, { revealDelaySeconds }),
  ]);
  if (done) await wakeAll(services, [operation], true);
}
