import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import { attestationRow } from '../../../functions/domain/attestation/attestation-records.ts';
import { type Operation, queueName } from '../../../functions/domain/lane/lane.ts';
import {
  operationKey,
  operationName,
  queuedOperation,
} from '../../../functions/domain/lane/queue-records.ts';
import { transactionRecord } from '../../../functions/domain/lane/transaction-records.ts';
import type { Fields, Key } from '../../../functions/domain/records.ts';
import { storedAttempts } from '../../fakes/checks/lane-checks.ts';
import type { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';

/** A record, before a write and after it. */
export interface Written {
  readonly key: Key;
  readonly before: Fields | undefined;
  readonly after: Fields | undefined;
}

const isTransaction = ({ table, sk }: Key): boolean => table === 'lanes' && sk.startsWith('TX#');
const isPayload = ({ table, sk }: Key): boolean => table === 'lanes' && sk.startsWith('CALLS#');
const isState = ({ table, sk }: Key): boolean => table === 'lanes' && sk === 'STATE';
const isQueued = ({ table, sk }: Key): boolean => table === 'queue' && sk !== 'ROUND';

/** Checks writes to lanes: an operation is either queued or in one transaction, and nonces have no gaps. */
export class LaneInvariants {
  readonly #records: MemoryRecords;
  readonly #undidFinal: () => boolean;
  /** The last transaction of each operation. */
  readonly #bound = new Map<string, Key>();

  /** @param undidFinal whether the chain ever undid a final block */
  constructor(records: MemoryRecords, undidFinal: () => boolean) {
    this.#records = records;
    this.#undidFinal = undidFinal;
  }

  violations(written: readonly Written[]): string[] {
    const undidFinal = this.#undidFinal();
    const found = written.flatMap((one) => {
      if (isState(one.key)) return [...stateViolations(one, undidFinal), ...this.#stageViolations(one)];
      if (isTransaction(one.key))
        return [...transactionViolations(one, undidFinal), ...this.#gapViolations(one)];
      if (isPayload(one.key)) return this.#payloadViolations(one);
      if (isQueued(one.key)) return this.#queueViolations(one);
      return this.#failureViolations(one);
    });
    return found;
  }

  /** Transactions below `finalNonce` are final, below `minedNonce` mined, below `nextNonce` pending. */
  #stageViolations({ key, after }: Written): string[] {
    const { finalNonce = 0, minedNonce = 0, nextNonce = 0 } = (after ?? {}) as Record<string, number>;
    const unsettled = Array.from({ length: nextNonce - finalNonce }, (_, position) => finalNonce + position);
    return unsettled.flatMap((nonce) => {
      const transaction = this.#records.peek(transactionRecord(key.pk, nonce));
      const expected = nonce < minedNonce ? 'mined' : 'pending';
      return transaction?.state === expected
        ? []
        : [`nonce ${nonce} of ${key.pk} is ${transaction?.state}, not ${expected}`];
    });
  }

  /** A new transaction has the lane's next nonce. */
  #gapViolations({ key, before, after }: Written): string[] {
    if (before || !after) return [];
    const next = this.#records.peek({ ...key, sk: 'STATE' })?.nextNonce;
    return next === Number(after.nonce) + 1
      ? []
      : [`${key.sk} of ${key.pk} is new, but the next nonce is ${next}`];
  }

  #payloadViolations({ key, before, after }: Written): string[] {
    if (before || !after) return [];
    const transaction = { ...key, sk: key.sk.replace('CALLS#', 'TX#') };
    const operations = after.operations as unknown as readonly Operation[];
    return operations.flatMap((operation) => {
      const name = operationName(operation);
      const violations = [
        ...(this.#isBound(name) ? [`${name} is in two pending transactions`] : []),
        ...(this.#isQueued(operation) ? [`${name} is bound and still queued`] : []),
      ];
      this.#bound.set(name, transaction);
      return violations;
    });
  }

  #queueViolations({ key, after }: Written): string[] {
    const name = key.sk.split('#').slice(-3).join('#');
    return after && this.#isBound(name) ? [`${name} is queued and still bound`] : [];
  }

  /** No call of a failed attestation may be mined any more. */
  #failureViolations({ key, before, after }: Written): string[] {
    if (after?.status !== 'failed' || before?.status === 'failed') return [];
    const names = ['commit', 'reveal'].map((kind) => `${key.pk}#${key.sk}#${kind}`);
    return names.filter((name) => this.#isBound(name)).map((name) => `${name} is bound although it failed`);
  }

  #isBound(name: string): boolean {
    // An older link and a newer one may both be pending when a reorg undid the older one after it was final.
    if (this.#undidFinal() && name.endsWith('#link')) return false;
    const key = this.#bound.get(name);
    const transaction = key && this.#records.peek(key);
    // A transaction that is settled in several writes releases its operations before it is final. Operations that failed
    // in it, or lost their nonce, stay released when a reorg makes the nonce pending again.
    const { state, settledCount, lostTo, formerReceipt } = transaction ?? { state: 'final' };
    return state !== 'final' && settledCount === 0 && lostTo === undefined && formerReceipt === undefined;
  }

  #isQueued(operation: Operation): boolean {
    const row = this.#records.peek(attestationRow(operation)) as unknown as Attestation;
    return (
      this.#records.peek(queuedOperation(queueName(row), operationKey(row, operation.kind))) !== undefined
    );
  }
}

function stateViolations({ key, before, after }: Written, undidFinal: boolean): string[] {
  if (!after) return [];
  const nonces = ({ finalNonce, minedNonce, nextNonce }: Fields) =>
    [finalNonce, minedNonce, nextNonce].map(Number);
  const [final = 0, mined = 0, next = 0] = nonces(after);
  const [finalBefore = 0, , nextBefore = 0] = before ? nonces(before) : nonces(after);
  const isOrdered =
    (undidFinal || finalBefore <= final) && final <= mined && mined <= next && nextBefore <= next;
  return isOrdered ? [] : [`nonces of ${key.pk} became ${nonces(after)}`];
}

/** A final transaction stays final, and no stored hash is ever dropped. */
function transactionViolations({ key, before, after }: Written, undidFinal: boolean): string[] {
  if (!before) return [];
  const [former, latter] = [storedAttempts(before), storedAttempts(after)];
  return [
    ...(!undidFinal && before.state === 'final' && after?.state !== 'final'
      ? [`${key.sk} of ${key.pk} was final`]
      : []),
    ...(former.some((hash, position) => hash !== latter[position]) ? [`${key.sk} lost an attempt`] : []),
    ...(before.to !== after?.to || before.gasLimit !== after?.gasLimit ? [`${key.sk} changed`] : []),
  ];
}
