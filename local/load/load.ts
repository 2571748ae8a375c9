import { createHash, randomUUID } from 'node:crypto';
import { Command, Option } from 'commander';
import { type Attestation, referenceOf } from 'imprimatur-client';
import { verify } from 'imprimatur-verifier';
import type { Hex } from 'viem';
import { checkout } from '../checkout.ts';
import { killWorkers } from '../emulator/kill-workers.ts';
import { check, checkLane, type LaneCheck, revealDelays } from '../on-chain/check-lane.ts';
import { laneFigures } from '../on-chain/lane-figures.ts';
import {
  type LaneStart,
  laneHistory,
  laneStart,
  type ReadingClient,
  readingClient,
} from '../on-chain/lane-history.ts';
import { quantiles } from '../on-chain/quantiles.ts';
import { runConcurrently } from '../on-chain/run-concurrently.ts';
import { localClient } from '../stack/local-client.ts';
import { readStackFile, type StackFile } from '../stack/stack-file.ts';
import { describeFailure } from '../terminal/plain-error.ts';
import { wholeNumber } from '../terminal/whole-number.ts';
import { loadArticles, usualArticle } from './articles.ts';
import { loadRequests, presentRequests } from './request-load.ts';
import { type LoadOutcome, runLoad } from './run.ts';

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
async function reportLoad(
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
function presentReport({ passed, checks, lane, timings }: Awaited<ReturnType<typeof reportLoad>>): string {
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

const directory = `${checkout}/.local`;

const description = `Attests many articles at once on the running local stack (npm start), then checks on the chain alone that each was \
attested once and in order, call by call where the publisher delegates to the forwarder. Reports transactions, calls per \
transaction and gas per call. With --seconds it makes requests of all kinds for so long instead, and reports statuses and \
times of each kind; what it posted is attested afterwards.

The exit status is 0 only if everything holds: with --seconds, that every request was answered, and none with 5xx.`;

interface LoadOptions {
  readonly count: number;
  readonly seconds?: number;
  readonly concurrency: number;
  readonly killWorkers?: true;
  readonly json?: true;
}

const program = new Command('npm run load --')
  .description(description)
  .option('--count <n>', 'articles of 1 to 50 KB, besides one of 1,048,576 bytes', wholeNumber(1, 10_000), 40)
  .addOption(
    new Option('--seconds <n>', 'make requests for so long, each once')
      .argParser(wholeNumber(1, 3600))
      .conflicts(['count', 'killWorkers']),
  )
  .option('--concurrency <n>', 'requests at once', wholeNumber(1, 64), 8)
  .option(
    '--kill-workers',
    'kill -9 all function processes of this stack, amid the posts and amid the reveals',
  )
  .option('--json', 'one JSON object on standard output; progress goes to standard error');

const log = (line: string) => console.error(line);

/** Seconds beyond the reveal delay: a lane keeps a few transactions in flight, and each attestation needs two. */
const confirmationSeconds = (count: number) => 240 + 4 * count;

async function attested(stack: StackFile, { count, concurrency, killWorkers: kills }: LoadOptions) {
  const client = readingClient(stack.rpcUrl);
  const start = await laneStart(client, stack.signerAddress);
  const articles = loadArticles(count, randomUUID(), Math.random);
  const outcome = await runLoad({
    ...{ api: localClient(stack), articles, concurrency, log, pollMs: 2000 },
    disturb: () => kills && log(`killed ${killWorkers(directory)} function processes`),
    timeoutSeconds: stack.revealDelaySeconds + confirmationSeconds(articles.length),
  });
  const report = await reportLoad(client, stack, start, articles, outcome);
  return { report, text: presentReport(report) };
}

async function requested(stack: StackFile, concurrency: number, seconds: number) {
  const article = () => usualArticle(`Article ${randomUUID()}.`, Math.random);
  log(`making requests for ${seconds} s`);
  const report = await loadRequests({ ...stack, seconds, concurrency, article });
  return { report, text: presentRequests(report) };
}

/** Runs the command. @returns its exit status. */
async function load(options: LoadOptions): Promise<number> {
  try {
    const stack = readStackFile(directory);
    const { seconds, concurrency, json } = options;
    const { report, text } =
      seconds === undefined ? await attested(stack, options) : await requested(stack, concurrency, seconds);
    console.log(json ? JSON.stringify(report) : text);
    return report.passed ? 0 : 1;
  } catch (error) {
    console.error(describeFailure(error));
    return 1;
  }
}

program.action(async (options) => process.exit(await load(options)));
await program.parseAsync();
