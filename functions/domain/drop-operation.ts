import type { Attestation } from './attestation.ts';
import type { Operation } from './lane.ts';
import { type Outcome, outcomeChanges } from './outcome.ts';
import type { Chain } from './ports.ts';
import { takeOperation } from './queue-records.ts';
import type { Services } from './services.ts';
import { wakeAll } from './wake.ts';

/**
 * Ends an operation that was never bound, in one write with its removal from the queue: so nothing of it can appear
 * on-chain afterwards. If somebody else bound it meanwhile, nothing happens.
 */
export async function dropOperation(
  services: Services,
  chain: Chain,
  { operation, row }: { operation: Operation; row: Attestation },
  outcome: Outcome,
): Promise<void> {
  const { revealDelaySeconds } = chain.settings;
  const done = await services.records.transact([
    takeOperation(row, operation),
    ...outcomeChanges(row, operation, outcome, { revealDelaySeconds }),
  ]);
  if (done) await wakeAll(services, [operation], true);
}
