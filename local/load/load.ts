import { randomUUID } from 'node:crypto';
import { checkout } from '../checkout.ts';
import { killWorkers } from '../emulator/kill-workers.ts';
import { laneStart, readingClient } from '../on-chain/lane-history.ts';
import { localClient } from '../stack/local-client.ts';
import { readStackFile, type StackFile } from '../stack/stack-file.ts';
import { describeFailure } from '../terminal/plain-error.ts';
import { loadArticles, usualArticle } from './articles.ts';
import { type LoadOptions, loadHelp, parseLoadOptions } from './options.ts';
import { type LoadReport, presentReport, reportLoad } from './report.ts';
import { loadRequests, presentRequests } from './request-load.ts';
import { runLoad } from './run.ts';

const directory = `${checkout}/.local`;

/** Seconds beyond the reveal delay: a lane keeps a few transactions in flight, and each attestation needs two. */
const confirmationSeconds = (count: number) => 240 + 4 * count;

async function load(stack: StackFile, options: LoadOptions): Promise<LoadReport> {
  const log = (line: string) => console.error(line);
  const client = readingClient(stack.rpcUrl);
  const start = await laneStart(client, stack.signerAddress);
  const articles = loadArticles(options.count, randomUUID(), Math.random);
  const outcome = await runLoad({
    api: localClient(stack),
    articles,
    concurrency: options.concurrency,
    disturb: () => options.killWorkers && log(`killed ${killWorkers(directory)} function processes`),
    log,
    pollMs: 2000,
    timeoutSeconds: stack.revealDelaySeconds + confirmationSeconds(articles.length),
  });
  return reportLoad(client, stack, start, articles, outcome);
}

async function attested(stack: StackFile, options: LoadOptions) {
  const report = await load(stack, options);
  return { report, text: presentReport(report) };
}

async function requested(stack: StackFile, options: { seconds: number; concurrency: number }) {
  const article = () => usualArticle(`Article ${randomUUID()}.`, Math.random);
  console.error(`making requests for ${options.seconds} s`);
  const report = await loadRequests({ ...stack, ...options, article });
  return { report, text: presentRequests(report) };
}

/** Runs the command. @returns its exit status. */
async function main(argv: readonly string[]): Promise<number> {
  try {
    const options = parseLoadOptions(argv);
    if (!options) {
      console.log(loadHelp);
      return 0;
    }
    const stack = readStackFile(directory);
    const { json, seconds, concurrency } = options;
    const { report, text } =
      seconds === undefined
        ? await attested(stack, options)
        : await requested(stack, { seconds, concurrency });
    console.log(json ? JSON.stringify(report) : text);
    return report.passed ? 0 : 1;
  } catch (error) {
    console.error(describeFailure(error));
    return 1;
  }
}

process.exit(await main(process.argv.slice(2)));
