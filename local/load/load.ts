import { randomUUID } from 'node:crypto';
import { Command, Option } from 'commander';
import { checkout } from '../checkout.ts';
import { killWorkers } from '../emulator/kill-workers.ts';
import { laneStart, readingClient } from '../on-chain/lane-history.ts';
import { localClient } from '../stack/local-client.ts';
import { readStackFile, type StackFile } from '../stack/stack-file.ts';
import { describeFailure } from '../terminal/plain-error.ts';
import { wholeNumber } from '../terminal/whole-number.ts';
import { loadArticles, usualArticle } from './articles.ts';
import { presentReport, reportLoad } from './report.ts';
import { loadRequests, presentRequests } from './request-load.ts';
import { runLoad } from './run.ts';

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
