import { createHash, randomUUID } from 'node:crypto';
import type { Hex } from 'viem';
import { apiClient } from './api-client.ts';
import { type Check, checkLane, revealDelayOf, traceContent } from './check-lane.ts';
import { checkRegistry } from './check-registry.ts';
import { checkout } from './checkout.ts';
import { killWorkers } from './kill-workers.ts';
import { laneHistory, readingClient } from './lane-history.ts';
import { loadArticles } from './load-articles.ts';
import { type LoadOptions, loadHelp, parseLoadOptions } from './load-options.ts';
import { type LoadOutcome, runLoad } from './load-run.ts';
import { describeFailure } from './plain-error.ts';
import { quantiles } from './quantiles.ts';
import { readStackFile, type StackFile, StackMissingError } from './stack-file.ts';

const directory = `${checkout}/.local`;

/** Beyond the reveal delay: a lane keeps a few transactions in flight, and each attestation needs two. */
const patienceSeconds = (count: number) => 240 + 4 * count;

const digestOf = (article: string): Hex => `0x${createHash('sha256').update(article).digest('hex')}`;

const seconds = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000;

function statusCheck({ attestations }: LoadOutcome): Check {
  const others = attestations.filter(({ status }) => status !== 'confirmed');
  return {
    statement: 'every attestation is confirmed',
    passed: others.length === 0,
    detail:
      others.map(({ id, status, error }) => `${id} ${status}: ${error}`).join('; ') ||
      `${attestations.length}`,
  };
}

/** Where the chain stood before the load. */
async function chainStart(client: ReturnType<typeof readingClient>, stack: StackFile) {
  try {
    const blockNumber = await client.getBlockNumber();
    const firstNonce = await client.getTransactionCount({ address: stack.delegateAddress, blockNumber });
    return { fromBlock: blockNumber + 1n, firstNonce };
  } catch {
    throw new StackMissingError();
  }
}

async function load(stack: StackFile, options: LoadOptions, log: (line: string) => void) {
  const client = readingClient(stack.rpcUrl);
  const { fromBlock, firstNonce } = await chainStart(client, stack);
  const articles = loadArticles(options.count, randomUUID(), Math.random);
  const digests = articles.map(digestOf);
  const disturb = () => options.killWorkers && log(`killed ${killWorkers(directory)} function processes`);
  const outcome = await runLoad({
    ...options,
    api: apiClient(stack),
    articles,
    disturb,
    log,
    timeoutSeconds: stack.revealDelaySeconds + patienceSeconds(articles.length),
  });
  const history = await laneHistory(client, stack.delegateAddress, fromBlock);
  const nextNonce = await client.getTransactionCount({ address: stack.delegateAddress });
  const entries = digests.map((digest, position) => ({
    digest,
    attestationIndex: outcome.attestations[position]?.attestationIndex,
  }));
  const checks = [
    statusCheck(outcome),
    ...checkLane(history, digests, { firstNonce, nextNonce, revealDelaySeconds: stack.revealDelaySeconds }),
    await checkRegistry(client, { ...stack, address: stack.registryAddress }, entries),
  ];
  const delays = digests.map((digest) => revealDelayOf(traceContent(history, digest)));
  const confirmations = outcome.attestations.map(({ createdAt, confirmedAt }) =>
    confirmedAt === undefined ? undefined : seconds(createdAt, confirmedAt),
  );
  const timings = {
    postMs: quantiles(outcome.postMs),
    commitToRevealSeconds: quantiles(delays.filter((delay) => delay !== undefined)),
    createdToConfirmedSeconds: quantiles(confirmations.filter((duration) => duration !== undefined)),
  };
  return { passed: checks.every(({ passed }) => passed), attestations: articles.length, checks, timings };
}

function present({ passed, checks, timings }: Awaited<ReturnType<typeof load>>): string {
  const lines = checks.map(
    (check) => `${check.passed ? 'ok    ' : 'FAILED'}  ${check.statement} (${check.detail})`,
  );
  const times = Object.entries(timings).map(
    ([name, quantile]) => `${name}: p50 ${quantile?.p50.toFixed(1)}, p95 ${quantile?.p95.toFixed(1)}`,
  );
  return [...lines, ...times, passed ? 'all of it holds' : 'not all of it holds'].join('\n');
}

/** Runs the command. @returns its exit status. */
async function main(argv: readonly string[]): Promise<number> {
  try {
    const options = parseLoadOptions(argv);
    if (!options) {
      console.log(loadHelp);
      return 0;
    }
    const report = await load(readStackFile(directory), options, (line) => console.error(line));
    console.log(options.json ? JSON.stringify(report) : present(report));
    return report.passed ? 0 : 1;
  } catch (error) {
    console.error(describeFailure(error));
    return 1;
  }
}

process.exit(await main(process.argv.slice(2)));
