import { createHash } from 'node:crypto';
import type { Attestation } from 'imprimatur-client';
import type { Hex } from 'viem';
import { checkLane, type LaneCheck } from '../on-chain/check-lane.ts';
import { type LaneFigures, laneFigures } from '../on-chain/lane-figures.ts';
import { type LaneStart, laneHistory, type ReadingClient } from '../on-chain/lane-history.ts';
import { quantiles } from '../on-chain/quantiles.ts';
import { doneCalls, revealDelayOf, traceContent } from '../on-chain/trace-content.ts';
import type { StackFile } from '../stack/stack-file.ts';
import type { LoadOutcome } from './run.ts';
import { verifyAll } from './verify-all.ts';

export interface LoadReport {
  readonly passed: boolean;
  readonly attestations: number;
  readonly checks: readonly LaneCheck[];
  readonly lane: LaneFigures;
  /** Median and 95th percentile of each duration. */
  readonly timings: Readonly<Record<string, { p50: number; p95: number } | undefined>>;
}

function statusCheck(attestations: readonly Attestation[]): LaneCheck {
  const others = attestations.filter(({ status }) => status !== 'confirmed');
  const detail = others.map(({ id, status, error }) => `${id} ${status}: ${error}`).join('; ');
  return {
    statement: 'every attestation is confirmed',
    passed: others.length === 0,
    detail: detail || `${attestations.length} attestations`,
  };
}

function secondsToConfirm({ createdAt, confirmedAt }: Attestation): number[] {
  return confirmedAt === undefined ? [] : [(Date.parse(confirmedAt) - Date.parse(createdAt)) / 1000];
}

const digestOf = (article: string): Hex => `0x${createHash('sha256').update(article).digest('hex')}`;

/** Compares the service's answers on each article with the chain's own data. */
export async function reportLoad(
  client: ReadingClient,
  stack: StackFile,
  start: LaneStart,
  articles: readonly string[],
  { attestations, postMs }: LoadOutcome,
): Promise<LoadReport> {
  const { signerAddress, revealDelaySeconds } = stack;
  const digests = articles.map(digestOf);
  const nextNonce = await client.getTransactionCount({ address: signerAddress });
  const history = await laneHistory(client, signerAddress, start.fromBlock);
  const checks = [
    statusCheck(attestations),
    ...checkLane(history, digests, { ...start, nextNonce, revealDelaySeconds }),
    await verifyAll(stack.rpcUrl, attestations, articles),
  ];
  const calls = doneCalls(history);
  const delays = digests.map((digest) => revealDelayOf(traceContent(calls, digest)));
  const timings = {
    postMs: quantiles(postMs),
    commitToRevealSeconds: quantiles(delays.filter((delay) => delay !== undefined)),
    createdToConfirmedSeconds: quantiles(attestations.flatMap(secondsToConfirm)),
  };
  const passed = checks.every((check) => check.passed);
  return { passed, attestations: digests.length, checks, lane: laneFigures(history), timings };
}

function presentLane(lane: LaneFigures): string[] {
  const { median, largest } = lane.revealsPerTransaction;
  return [
    `lane: ${lane.transactions} transactions with ${lane.calls} calls, of which ${lane.failedCalls} failed`,
    `reveals per transaction: median ${median}, largest ${largest}`,
    `gas per attestation: ${lane.gasPerAttestation}`,
    ...lane.batches.map(
      ({ members, count, gasPerAttestation }) =>
        `  ${members} to a commit: ${gasPerAttestation} gas each (${count} of them)`,
    ),
  ];
}

/** Formats the report for a person. */
export function presentReport({ passed, checks, lane, timings }: LoadReport): string {
  const lines = checks.map(
    (check) => `${check.passed ? 'ok    ' : 'FAILED'}  ${check.statement} (${check.detail})`,
  );
  const times = Object.entries(timings).map(
    ([name, quantile]) => `${name}: p50 ${quantile?.p50.toFixed(1)}, p95 ${quantile?.p95.toFixed(1)}`,
  );
  const diagnosis = passed ? 'all of it holds' : 'not all of it holds';
  return [...lines, ...presentLane(lane), ...times, diagnosis].join('\n');
}
