import type { Attestation } from './attestation.ts';
import { attestationOf } from './attestation-rows.ts';
import { attestationRow } from './keys.ts';
import type { BoundOperation, LaneState, Transaction } from './lane.ts';
import { changedState, changeState, changeTransaction, type StateFields } from './lane-records.ts';
import { type Outcome, outcomeChanges } from './outcome.ts';
import type { Block, Chain, Receipt } from './ports.ts';
import { registryCall } from './registry-calls.ts';
import type { Services } from './services.ts';
import { judge, tryAgain } from './verdict.ts';
import { wake } from './wake.ts';

/** A transaction that reverts for no lasting reason (it ran out of gas, say) is made again this often. */
const maxReverts = 3;

export interface Settlement {
  readonly state: LaneState;
  readonly transaction: Transaction;
  readonly receipt: Receipt;
  readonly final: boolean;
  readonly head: Block;
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
  const { hash, blockTimestamp } = receipt;
  if (receipt.succeeded) return { kind: final ? 'final' : 'mined', hash, blockTimestamp };
  if (!final) return undefined;
  const verdict = await judge(chain, row, operation, registryCall(row, operation.kind));
  if (verdict.kind !== 'unknown') return verdict;
  if ((operation.reverts ?? 0) < maxReverts) return { kind: 'reverted' };
  const reason = `the transaction reverted ${maxReverts + 1} times; ${tryAgain(operation.kind)}`;
  return { kind: 'refused', reason };
}

function transactionChange({ transaction, receipt, final }: Settlement, now: Date) {
  const { hash: minedHash, blockHash } = receipt;
  return changeTransaction(transaction, { state: final ? 'final' : 'mined', minedHash, blockHash }, now);
}

function stateFields({ state, transaction, final, head }: Settlement): StateFields {
  const above = transaction.nonce + 1;
  return {
    ...(state.minedNonce < above ? { minedNonce: above, lowestSinceBlock: head.number } : {}),
    ...(final ? { finalNonce: above } : {}),
  };
}

/**
 * Records a mined or final transaction: rows, transaction and lane in one write, so that it happens once; then wakes
 * whoever waits.
 *
 * @returns the lane's state after it; nothing when somebody else changed any of it meanwhile.
 */
export async function settle(
  services: Services,
  chain: Chain,
  settlement: Settlement,
): Promise<LaneState | undefined> {
  const { state, transaction } = settlement;
  const { operations } = transaction;
  const rows = await rowsOf(services, operations);
  const now = services.now();
  const { revealDelaySeconds } = chain.settings;
  const changes = await Promise.all(
    operations.map(async (operation, position) => {
      const row = rows[position] as Attestation;
      const outcome = await outcomeOf(chain, row, operation, settlement);
      return outcome ? outcomeChanges(row, operation, outcome, { revealDelaySeconds, now }) : [];
    }),
  );
  const fields = stateFields(settlement);
  const done = await services.records.transact([
    ...changes.flat(),
    transactionChange(settlement, now),
    changeState(state, fields),
  ]);
  if (!done) return undefined;
  await Promise.all(operations.map((operation) => wake(services, operation, operation.kind)));
  return changedState(state, fields);
}
