import type { Address } from 'viem';
import { blockAgeSeconds, secondsSince } from '../age-limits.ts';
import type { Attestation } from '../attestation/attestation.ts';
import type { Fees } from '../chain.ts';
import { ChainUnreachableError } from '../errors.ts';
import type { LaneState, Queue, Transaction } from '../lane/lane.ts';
import { findLaneState } from '../lane/lane-records.ts';
import { type LaneServices, laneServices, readKeySnapshot } from '../lane/lane-services.ts';
import { isDue, listOperations } from '../lane/queue-records.ts';
import { queuesOf } from '../lane/served-queues.ts';
import { chainSigners, laneOf } from '../lane/signers.ts';
import { findPayload, findTransaction, transactionsFrom } from '../lane/transaction-records.ts';
import { addSpending } from '../sending/funds.ts';
import type { Services } from '../services.ts';
import { describeWait, type KeyOnChain, type QueueLength } from './describe-wait.ts';
import { unfinishedAttestations } from './unfinished-attestations.ts';

export type LaneStatus = Awaited<ReturnType<typeof readLaneStatus>>;

/** Reads the status of a lane. It is read-only: a lane without a record does not get one. */
export async function readLaneStatus(base: Services, lane: string) {
  const services = laneServices(base, lane);
  const { chainId, signerAddress, laneChain } = services;
  const [state, signers] = await Promise.all([
    findLaneState(services.records, lane),
    chainSigners(services, chainId),
  ]);
  const transactions = state ? await transactionsFrom(services.records, state) : [];
  const queues = await queueLengths(services, state);
  const chain = await readChain(services, queues);
  const now = services.now();
  return {
    lane,
    signerAddress,
    /** `unknown` if the key is not one of the chain's signers, for example because a new stack has another key. */
    signerState: signers.find(({ address }) => address === signerAddress)?.state ?? ('unknown' as const),
    paused: state?.paused ?? null,
    retired: state?.retired ?? null,
    /** `null` if the lane has no record yet. */
    nonces: state ? { next: state.nextNonce, mined: state.minedNonce, final: state.finalNonce } : null,
    unsettled: await Promise.all(transactions.map((each) => unsettledTransaction(services, each))),
    queues,
    oldest: await oldestAges(services, chainId, transactions, queues),
    /** `null` while the chain cannot be reached. */
    chain: chain && chainFields(chain, now),
    feeCapGwei: laneChain.settings.maxFeePerGasGwei,
    spentTodayWei: BigInt(addSpending(state ?? {}, 0n, now).wei),
    /** Budget of the lane for a day (UTC), in the chain's currency. */
    dailyFeeBudget: laneChain.settings.dailyFeeBudget ?? null,
    /** Receipt of the newest mined transaction, if it has one and is still recorded. */
    lastReceipt: state ? await lastReceipt(services, state) : null,
    waitingFor: describeWait({ lane, state, transactions, queues, chain, settings: laneChain.settings, now }),
  };
}

/** Reads the chain; `null` if it is unreachable, because the rest of the status does not need it. */
async function readChain(services: LaneServices, queues: readonly QueueLength[]): Promise<KeyOnChain | null> {
  try {
    const [snapshot, feeData, refusing] = await Promise.all([
      readKeySnapshot(services),
      services.laneChain.feeData(services.signerAddress),
      refusingForwarders(services, queues),
    ]);
    return { snapshot, feeData, refusing };
  } catch (error) {
    if (error instanceof ChainUnreachableError) return null;
    throw error;
  }
}

async function refusingForwarders(
  { laneChain, signerAddress }: LaneServices,
  queues: readonly QueueLength[],
): Promise<Address[]> {
  const waiting = queues.filter(({ length }) => length > 0).map(({ delegateAddress }) => delegateAddress);
  const forwarders = waiting.filter((delegate) => delegate !== signerAddress);
  // An address without a forwarder gives no valid answer, and accepts no calls either.
  const accepts = await Promise.all(
    forwarders.map((forwarder) => laneChain.isOperator(forwarder, signerAddress).catch(() => false)),
  );
  return forwarders.filter((_, position) => !accepts[position]);
}

/** Ages of the oldest pending items, in whole seconds; `null` if there are none. */
async function oldestAges(
  services: Services,
  chainId: number,
  transactions: readonly Transaction[],
  queues: readonly QueueLength[],
) {
  const unfinished = await oldestUnfinished(services, chainId);
  const unmined = transactions.find(({ state }) => state === 'pending');
  const [queuedAt] = queues.flatMap(({ oldestQueuedAt }) => oldestQueuedAt ?? []).sort();
  const age = (since: string | undefined) =>
    since === undefined ? null : secondsSince(since, services.now());
  return {
    unminedSeconds: age(unmined?.boundAt),
    queuedSeconds: age(queuedAt),
    unfinishedSeconds: age(unfinished?.createdAt),
  };
}

async function oldestUnfinished(services: Services, chainId: number): Promise<Attestation | undefined> {
  for await (const attestation of unfinishedAttestations(services))
    if (attestation.chainId === chainId) return attestation;
  return undefined;
}

function chainFields({ snapshot, feeData }: KeyOnChain, now: Date) {
  return {
    headNumber: snapshot.head.number,
    /** Negative while the chain's clock is ahead of ours. */
    headAgeSeconds: blockAgeSeconds(snapshot.head, now),
    /** If larger than `nonces.next`, another program uses the key, or a restore lost transactions. */
    transactionCount: snapshot.minedCount,
    balanceWei: feeData.balance,
    baseFeeWei: feeData.baseFee,
    tipWei: feeData.tip,
  };
}

async function unsettledTransaction(
  { records }: Services,
  { lane, nonce, state, attempts, receipt, canceling }: Transaction,
) {
  const { operations } = await findPayload(records, lane, nonce);
  const newest = attempts.at(-1);
  return {
    nonce,
    state,
    operationCount: operations.length,
    attemptCount: attempts.length,
    hash: receipt?.hash ?? newest?.hash ?? null,
    fees: newest ? feesOf(newest) : null,
    sentAt: newest?.sentAt ?? null,
    canceling: canceling ?? false,
  };
}

const feesOf = ({ maxFeePerGas, maxPriorityFeePerGas }: Fees): Fees => ({
  maxFeePerGas,
  maxPriorityFeePerGas,
});

async function lastReceipt({ records }: Services, { lane, minedNonce }: LaneState) {
  const { receipt } = (await findTransaction(records, lane, minedNonce - 1)) ?? {};
  return receipt ? { hash: receipt.hash, blockNumber: receipt.blockNumber } : null;
}

const maxCounted = 1_000;

async function queueLengths(services: LaneServices, state: LaneState | undefined): Promise<QueueLength[]> {
  const lengths = await Promise.all(
    queuesOf(services, state).map(async (queue) =>
      (await laneOf(services, queue)) === services.lane ? [await queueLength(services, queue)] : [],
    ),
  );
  return lengths.flat();
}

async function queueLength(services: Services, queue: Queue): Promise<QueueLength> {
  const operations = await listOperations(services, queue, maxCounted + 1);
  const counted = operations.slice(0, maxCounted);
  const now = services.now();
  // A delayed reveal counts from the end of its delay.
  const queuedSince = counted.map(({ queuedAt }) => queuedAt).filter((time) => time <= now.toISOString());
  const [oldestQueuedAt = null] = queuedSince.sort();
  const isNothingDue = counted.every((operation) => !isDue(operation, now));
  const [nextTryAt = null] = isNothingDue ? counted.flatMap(({ retryAt }) => retryAt ?? []).sort() : [];
  return {
    delegateAddress: queue.delegateAddress,
    length: counted.length,
    more: operations.length > maxCounted,
    oldestQueuedAt,
    nextTryAt,
  };
}
