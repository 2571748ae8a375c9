import type { Address } from 'viem';
import {
  type Attestation,
  type AttestationKey,
  delegateOf,
  type OperationKind,
  operationKinds,
} from '../attestation/attestation.ts';
import type { Chain } from '../chain.ts';
import type { Change, Key, Records, Value } from '../records.ts';
import { isNumber, isText, parseRecord, type RecordForm } from '../stored-record.ts';
import {
  type BoundOperation,
  type LaneState,
  type Operation,
  parseLane,
  type Queue,
  queueName,
} from './lane.ts';

export function queuePartition(queue: string): string {
  return `${queue}#queue`;
}

export function queuedOperation(
  queue: string,
  { organizationId, id, kind }: AttestationKey & { kind: OperationKind },
): Key {
  return { table: 'queue', pk: queuePartition(queue), sk: `${organizationId}#${id}#${kind}` };
}

/** The queue in which an operation of the attestation waits. */
export function queueOf(attestation: Attestation, kind: OperationKind): Queue {
  return { chainId: attestation.chainId, delegateAddress: delegateOf(attestation, kind) };
}

const operationForm: RecordForm<BoundOperation> = {
  kind: 'operation',
  required: { organizationId: isText, id: isText, kind: operationKinds, queuedAt: isText },
  optional: {
    ...{ reverts: isNumber, batchLimit: isNumber },
    ...{ childSequence: isNumber, childAttestationId: [isText, null], attestationIndex: isNumber },
  },
};

/** Parses an operation of a queue or of a payload. @throws RecordInvalidError */
export function parseOperation(stored: Value): BoundOperation {
  return parseRecord(operationForm, stored);
}

export function putOperation(queue: Queue, operation: Operation): Change {
  return { key: queuedOperation(queueName(queue), operation), put: { ...operation }, ifAbsent: true };
}

/**
 * Queues an operation again that its transaction did not do. It may be queued already: the link of a newer intent is,
 * when a reorganisation undid the older one after it was final.
 */
export function putBack(queue: Queue, operation: Operation): Change {
  return { key: queuedOperation(queueName(queue), operation), put: { ...operation } };
}

/** Holds only while the operation is queued: of two that take it, one does. */
export function takeOperation(
  queue: Queue,
  operation: Pick<Operation, 'organizationId' | 'id' | 'kind'>,
): Change {
  const key = queuedOperation(queueName(queue), operation);
  return { key, remove: true, expect: { kind: operation.kind } };
}

function rangeOf(queue: Queue) {
  return { table: 'queue', pk: queuePartition(queueName(queue)) } as const;
}

/**
 * The queue's operations by organisation, each organisation's by age, from the first behind an organisation on.
 *
 * @param behind an organisation; without one, from the first
 */
export async function listOperations(
  records: Records,
  queue: Queue,
  behind: string | undefined,
  limit: number,
): Promise<Operation[]> {
  const range = { ...rangeOf(queue), limit };
  // "~" sorts after every character of an operation's key.
  const stored = await records.list(behind === undefined ? range : { ...range, from: `${behind}#~` });
  return stored.map(({ fields }) => parseOperation(fields));
}

/** The queues in which an operation waits. */
export async function waitingQueues(records: Records, queues: readonly Queue[]): Promise<Queue[]> {
  const waits = await Promise.all(queues.map((queue) => hasQueue(records, queue)));
  return queues.filter((_, position) => waits[position]);
}

/** Whether any operation waits. */
export async function hasQueue(records: Records, queue: Queue): Promise<boolean> {
  return (await records.list({ ...rangeOf(queue), limit: 1 })).length > 0;
}

/** The delegates of the settings, as addresses; `key` is the lane's own. */
function configuredDelegates({ settings }: Chain, lane: string): Address[] {
  const { signerAddress } = parseLane(lane);
  return settings.delegates.map((delegate) => (delegate === 'key' ? signerAddress : delegate));
}

type Recorded = Pick<LaneState, 'lane' | 'delegates' | 'registries'>;

/**
 * What a lane may send to: the delegates and the registry of the settings, and those that lanes recorded while earlier
 * settings named them. Another lane's own key is no delegate of this one.
 */
export function servedBy(chain: Chain, lane: string, recorded: readonly (Recorded | undefined)[]) {
  const known = recorded.filter((one) => one !== undefined);
  const former = known.flatMap((one) =>
    (one.delegates ?? []).filter((each) => one.lane === lane || each !== parseLane(one.lane).signerAddress),
  );
  const registries = known.flatMap((one) => one.registries ?? []);
  return {
    delegates: [...new Set([...configuredDelegates(chain, lane), ...former])],
    registries: [...new Set([chain.settings.registryAddress, ...registries])],
  };
}

/** The queues that a lane sends from: those of the delegates that it serves. */
export function queuesOf(chain: Chain, recorded: Recorded): Queue[] {
  const { chainId } = chain.settings;
  const { delegates } = servedBy(chain, recorded.lane, [recorded]);
  return delegates.map((delegateAddress) => ({ chainId, delegateAddress }));
}

/**
 * Whether the lane may send what waits in one of its queues. A key that is being replaced still sends as itself, because
 * no other key can; operations through a forwarder are its successor's. A key that leaked sends nothing.
 */
export function sendsFrom(
  { lane, retired }: Pick<LaneState, 'lane' | 'retired'>,
  { delegateAddress }: Queue,
): boolean {
  if (retired === undefined) return true;
  return retired === 'draining' && delegateAddress === parseLane(lane).signerAddress;
}

/** Whether what waits in a queue is for this lane to see to: to send it or, as a key that was revoked, to end it. */
export function answersFor(state: Pick<LaneState, 'lane' | 'retired'>, queue: Queue): boolean {
  return queue.delegateAddress === parseLane(state.lane).signerAddress || sendsFrom(state, queue);
}
