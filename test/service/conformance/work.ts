import { setTimeout as pause } from 'node:timers/promises';
import type { Hex } from 'viem';
import type { AttestationKey } from '../../../functions/domain/attestation/attestation.ts';
import { findAttestation } from '../../../functions/domain/attestation/attestation-records.ts';
import { queueName } from '../../../functions/domain/lane/lane.ts';
import { queuedOperation } from '../../../functions/domain/lane/queue-records.ts';
import { executionsOf, records } from '../stack/aws.ts';
import { publicClient } from '../stack/chain.ts';
import type { Publisher } from '../stack/publisher.ts';
import { stack } from '../stack/running-stack.ts';

/** Number of blocks within which the service surely sends its operations. */
const fewBlocks = 5n;
const kinds = ['commit', 'reveal', 'link'] as const;

export interface Traces {
  /** Parts of the calls that the work would send. Each part identifies a call. */
  readonly calls: readonly Hex[];
  /** The newest block before the work. */
  readonly since: bigint;
}

export interface Work {
  readonly executions: readonly string[];
  readonly operations: readonly string[];
  /** Mined transactions that carry one of the calls, oldest first. */
  readonly sent: readonly Hex[];
  readonly linkIntents: number | undefined;
}

export function newestBlock(): Promise<bigint> {
  return publicClient.getBlockNumber({ cacheTime: 0 });
}

export async function afterFewBlocks(): Promise<void> {
  const until = (await newestBlock()) + fewBlocks;
  while ((await newestBlock()) < until) await pause(300);
}

export async function workFor({ organizationId }: Publisher, id: unknown, traces: Traces): Promise<Work> {
  const key = { organizationId, id: String(id) };
  const [executions, operations, sent, row] = await Promise.all([
    namesOfExecutions(key),
    waitingOperations(key),
    sentCalls(traces),
    findAttestation(records, key),
  ]);
  return { executions, operations, sent, linkIntents: row?.childSequence };
}

async function namesOfExecutions({ id }: AttestationKey): Promise<string[]> {
  const arns = await executionsOf(stack.outputs.AttestStateMachineArn);
  return arns.map((arn) => arn.split(':').at(-1) ?? '').filter((name) => name.startsWith(id));
}

async function waitingOperations(key: AttestationKey): Promise<string[]> {
  const queue = queueName({ chainId: stack.chainId, delegateAddress: stack.signerAddress });
  const found = await records.getAll(kinds.map((kind) => queuedOperation(queue, { ...key, kind })));
  return kinds.filter((_, position) => found[position] !== undefined);
}

async function sentCalls({ calls, since }: Traces): Promise<Hex[]> {
  const count = Number((await newestBlock()) - since);
  const numbers = Array.from({ length: count }, (_, offset) => since + BigInt(offset) + 1n);
  const blocks = await Promise.all(
    numbers.map((blockNumber) => publicClient.getBlock({ blockNumber, includeTransactions: true })),
  );
  return blocks
    .flatMap(({ transactions }) => transactions)
    .filter(({ input }) => calls.some((call) => input.includes(call.slice(2))))
    .map(({ hash }) => hash);
}
