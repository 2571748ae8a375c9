import { createHash } from 'node:crypto';
import type { Attestation } from 'imprimatur-client';
import { referenceOf } from 'imprimatur-client';
import { verify } from 'imprimatur-verifier';
import type { Hex } from 'viem';
import { check, checkLane, type LaneCheck, revealDelays } from '../on-chain/check-lane.ts';
import { laneFigures } from '../on-chain/lane-figures.ts';
import { type LaneStart, laneHistory, type ReadingClient } from '../on-chain/lane-history.ts';
import { quantiles } from '../on-chain/quantiles.ts';
import { runConcurrently } from '../on-chain/run-concurrently.ts';
import type { StackFile } from '../stack/stack-file.ts';
import type { LoadOutcome } from './run.ts';

/** Attestations that are verified at once. */
const verifiedAtOnce = 8;

function statusCheck(attestations: readonly Attestation[]): LaneCheck {
  const others = attestations.filter(({ status }) => status !== 'confirmed');
  const contradictions = others.map(({ id, status, error }) => `${id} ${status}: ${error}`);
  return check('every attestation is confirmed', contradictions, `${attestations.length} attestations`);
}

/** Verifies each attestation, as the service answers it, by its article and a node alone. */
async function verifyAll(
  rpcUrl: string,
  attestations: readonly Attestation[],
  articles: readonly string[],
): Promise<LaneCheck> {
  const pairs = attestations.map((attestation, position) => ({ attestation, article: articles[position] }));
  const wrong = await runConcurrently(pairs, verifiedAtOnce, async ({ attestation, article }) => {
    const { id, attestationIndex } = attestation;
    if (attestationIndex === undefined) return [`${id}: has no index`];
    const text = new TextEncoder().encode(article);
    const reference = referenceOf({ ...attestation, attestationIndex });
    const { outcome, reason } = await verify(reference, { providers: [rpcUrl], text });
    return outcome === 'verified' ? [] : [`${id}: ${outcome}, ${reason}`];
  });
  const statement = 'the independent verifier says of each article that it is verified';
  return check(statement, wrong.flat(), `${attestations.length} articles`);
}

function secondsToConfirm({ createdAt, confirmedAt }: Attestation): number[] {
  return confirmedAt === undefined ? [] : [(Date.parse(confirmedAt) - Date.parse(createdAt)) / 1000];
}

const digestOf = (article: string): Hex => `0x${createHash('sha256').update(article).digest('hex')}`;

/** Compares the service's answers on each article with the chain's own data. */
export async function reportLoad(
  client: ReadingClient,
  { signerAddress, revealDelaySeconds, rpcUrl }: StackFile,
  start: LaneStart,
  articles: readonly string[],
  { attestations, postMs }: LoadOutcome,
) {
  const digests = articles.map(digestOf);
  const nextNonce = await client.getTransactionCount({ address: signerAddress });
  const history = await laneHistory(client, signerAddress, start.fromBlock);
  const checks = [
    statusCheck(attestations),
    ...checkLane(history, digests, { ...start, nextNonce, revealDelaySeconds }),
    await verifyAll(rpcUrl, attestations, articles),
  ];
  const timings = {
    postMs: quantiles(postMs),
    commitToRevealSeconds: quantiles(revealDelays(history, digests)),
    createdToConfirmedSeconds: quantiles(attestations.flatMap(secondsToConfirm)),
  };
  const passed = checks.every((one) => one.passed);
  return { passed, attestations: digests.length, checks, lane: laneFigures(history), timings };
}

/** Formats the report for a person. */
export function presentReport({
  passed,
  checks,
  lane,
  timings,
}: Awaited<ReturnType<typeof reportLoad>>): string {
  const { median, largest } = lane.revealsPerTransaction;
  return [
    ...checks.map((one) => `${one.passed ? 'ok    ' : 'FAILED'}  ${one.statement} (${one.detail})`),
    `lane: ${lane.transactions} transactions with ${lane.calls} calls, of which ${lane.failedCalls} failed`,
    `reveals per transaction: median ${median}, largest ${largest}`,
    `gas per attestation: ${lane.gasPerAttestation}`,
    ...Object.entries(timings).map(
      ([name, times]) => `${name}: p50 ${times?.p50.toFixed(1)}, p95 ${times?.p95.toFixed(1)}`,
    ),
    passed ? 'all of it holds' : 'not all of it holds',
  ].join('\n');
}
