import type { Address } from 'viem';
import * as z from 'zod';
import {
  type Attestation,
  delegateOf,
  type OperationKind,
  operationKinds,
} from '../attestation/attestation.ts';
import type { Chain } from '../chain.ts';
import type { Change, Key, Records } from '../records.ts';
import { parseRecord, recordForm } from '../stored-record.ts';
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

type OperationKey = Pick<Operation, 'organizationId' | 'id' | 'kind' | 'round'>;

/** Names an operation within its queue. */
export function operationName({ organizationId, id, kind }: OperationKey): string {
  return `${organizationId}#${id}#${kind}`;
}

/** Key of a queued operation: a queue is in the order of the rounds. */
export function queuedOperation(queue: string, operation: OperationKey): Key {
  const round = String(operation.round ?? 0).padStart(15, '0');
  return { table: 'queue', pk: queuePartition(queue), sk: `${round}#${operationName(operation)}` };
}

/** The key's parts of an operation of the attestation, as it is or was queued. */
export function keyOf(attestation: Attestation, kind: OperationKind): OperationKey {
  const { organizationId, id, [`${kind}Round` as const]: round } = attestation;
  return { organizationId, id, kind, ...(round === undefined ? {} : { round }) };
}

/** The queue in which an operation of the attestation waits. */
export function queueOf(attestation: Attestation, kind: OperationKind): Queue {
  return { chainId: attestation.chainId, delegateAddress: delegateOf(attestation, kind) };
}

/** An operation of a queue or of a payload, as it is stored. */
export const operationForm = recordForm<BoundOperation>(
  { organizationId: z.string(), id: z.string(), kind: z.enum(operationKinds), queuedAt: z.string() },
  {
    ...{ round: z.number(), unreadySince: z.string(), retryAt: z.string() },
    ...{ reverts: z.number(), batchLimit: z.number() },
    ...{ childSequence: z.number(), childAttestationId: z.string().nullable(), attestationIndex: z.number() },
  },
);

/**
 * Queues an operation. One that its transaction did not do may be queued already: the link of a newer intent is, when a
 * reorganisation undid the older one after it was final.
 */
export function putOperation(queue: Queue, operation: Operation): Change {
  return { key: queuedOperation(queueName(queue), operation), put: { ...operation } };
}

/** Holds only while the operation is queued: of two that take it, one does. */
export function takeOperation(queue: Queue, operation: OperationKey): Change {
  const key = queuedOperation(queueName(queue), operation);
  return { key, remove: true, expect: { kind: operation.kind } };
}

function rangeOf(queue: Queue) {
  return { table: 'queue', pk: queuePartition(queueName(queue)) } as const;
}

/** Puts off an operation that could not be sent. */
export function postpone(
  queue: Queue,
  operation: Operation,
  until: Pick<Operation, 'unreadySince' | 'retryAt'>,
): Change {
  return { key: queuedOperation(queueName(queue), operation), set: until, ifPresent: true };
}

/** The first operations of the queue, in its order, from a sort key on. */
export async function listOperations(
  records: Records,
  queue: Queue,
  limit: number,
  from?: string,
): Promise<Operation[]> {
  const stored = await records.list({ ...rangeOf(queue), limit, ...(from === undefined ? {} : { from }) });
  return stored.map(({ fields }) => parseRecord('operation', operationForm, fields));
}

/** Whether it is not put off. */
export function isDue({ retryAt = '' }: Operation, now: Date): boolean {
  return retryAt <= now.toISOString();
}

/** The first operations of the queue, in its order, that are not put off. */
export async function dueOperations(
  records: Records,
  queue: Queue,
  now: Date,
  limit: number,
): Promise<Operation[]> {
  const due: Operation[] = [];
  let from: string | undefined;
  do {
    const page = await listOperations(records, queue, limit, from);
    due.push(...page.filter((operation) => isDue(operation, now)));
    const last = page.length < limit ? undefined : page.at(-1);
    // "~" sorts after every character of a key.
    from = last && `${queuedOperation(queueName(queue), last).sk}~`;
  } while (from !== undefined && due.length < limit);
  return due.slice(0, limit);
}

/** The queues in which an operation waits. */
export async function waitingQueues(records: Records, queues: readonly Queue[]): Promise<Queue[]> {
  const found = await Promise.all(queues.map((queue) => records.list({ ...rangeOf(queue), limit: 1 })));
  return queues.filter((_, position) => found[position]?.length);
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
