import type { Attestation } from './attestation.ts';
import { attestationOf } from './attestation-rows.ts';
import { attestationRow } from './keys.ts';
import type { BoundOperation, LaneState, Transaction } from './lane.ts';
import { changeState, changeTransaction } from './lane-records.ts';
import { type Outcome, outcomeChanges } from './outcome.ts';
import type { Chain, Receipt } from './ports.ts';
import { registryCall } from './registry-calls.ts';
import type { Services } from './services.ts';
import { judge } from './verdict.ts';
import { wake } from './wake.ts';

export interface Settlement {
  readonly state: LaneState;
  readonly transaction: Transaction;
  readonly receipt: Receipt;
  readonly final: boolean;
}

async function rowsOf(services: Services, operations: readonly BoundOperation[]): Promise<Attestation[]> {
  const found = await services.records.getAll(operations.map(attestationRow));
  return operations.map((operation, position) => attestationOf(operation, found[position] ?? {}));
}

/** A reverted transaction says nothing until it is final; then the views at that depth say why. */
async function outcomeOf(
  chain: Chain,
  row: Attestation,
  operation: BoundOperation,
  { receipt, final }: Settlement,
): Promise<Outcome | undefined> {
  if (receipt.succeeded) {
    const blockTimestamp = await chain.blockTimestamp(receipt.blockHash);
    return { kind: final ? 'final' : 'mined', hash: receipt.hash, blockTimestamp };
  }
  if (!final) return undefined;
  const verdict = await judge(chain, row, operation.kind, registryCall(row, operation.kind));
  return verdict.kind === 'unknown'
    ? { kind: 'refused', reason: 'the registry rejected the transaction; submit the content again' }
    : verdict;
}

function laneChanges({ state, transaction, receipt, final }: Settlement, now: Date) {
  const above = transaction.nonce + 1;
  const newlyMined = state.minedNonce < above;
  return [
    changeTransaction(
      transaction,
      { state: final ? 'final' : 'mined', minedHash: receipt.hash, blockHash: receipt.blockHash },
      now,
    ),
    changeState(state, {
      ...(newlyMined ? { minedNonce: above, lowestSince: now.toISOString() } : {}),
      ...(final ? { finalNonce: above } : {}),
    }),
  ];
}

/**
 * Records a mined or final transaction: rows, transaction and lane in one write, so that it happens once; then wakes
 * whoever waits.
 *
 * @returns false when somebody else changed any of it meanwhile; the next turn looks again.
 */
export async function settle(services: Services, chain: Chain, settlement: Settlement): Promise<boolean> {
  const { operations } = settlement.transaction;
  const rows = await rowsOf(services, operations);
  const changes = await Promise.all(
    operations.map(async (operation, position) => {
      const row = rows[position] as Attestation;
      const outcome = await outcomeOf(chain, row, operation, settlement);
      return outcome ? outcomeChanges(row, operation, outcome, chain.settings.revealDelaySeconds) : [];
    }),
  );
  const done = await services.records.transact([
    ...changes.flat(),
    ...laneChanges(settlement, services.now()),
  ]);
  if (done) await Promise.all(operations.map((operation) => wake(services, operation, operation.kind)));
  return done;
}
