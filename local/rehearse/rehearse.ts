import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Attestation } from 'imprimatur-client';
import type { Hex } from 'viem';
import { checkout } from '../checkout.ts';
import { usualArticle } from '../load/articles.ts';
import { checkLane, type LaneCheck } from '../on-chain/check-lane.ts';
import { laneFigures } from '../on-chain/lane-figures.ts';
import { laneHistory, laneStart, readingClient } from '../on-chain/lane-history.ts';
import { stopRequest, unlessStopped } from '../process/stop-request.ts';
import { localClient } from '../stack/local-client.ts';
import { readStackFile, type StackFile } from '../stack/stack-file.ts';
import { readOptionValues, wholeNumber } from '../terminal/option-values.ts';
import { describeFailure } from '../terminal/plain-error.ts';
import { type ManifestLine, manifestLines, runCommand } from './killed-run.ts';

const help = `npm run archive:rehearse -- [--count N] [--concurrency N] [--in-flight N]: attests an archive of N articles (default 500) of 1 to 50 KB on
the running local stack (npm start) with imprimatur attest, kills the command with kill -9 when a third and when two
thirds of them are in its manifest, and lets it go on each time. Then reads the manifest, the service and the chain.

While it runs, the organisation may have N attestations in flight (default 300), as an operator would limit it: the command
waits for that limit. More than one machine serves is slower. Afterwards, also after Ctrl-C, the settings' limit counts again.

The exit status is 0 only if each article is attested once, on the chain too, and nothing else is.`;

const options = {
  count: { type: 'string', default: '500' },
  concurrency: { type: 'string', default: '8' },
  'in-flight': { type: 'string', default: '300' },
  help: { type: 'boolean', default: false, short: 'h' },
} as const;

/** Writes the articles, in folders of a thousand. @returns their digests */
function writeArticles(folder: string, count: number): Hex[] {
  const run = randomUUID();
  return Array.from({ length: count }, (_, at): Hex => {
    const text = usualArticle(`Article ${at + 1} of ${run}.`, Math.random);
    const inside = `${folder}/${Math.floor(at / 1000)}`;
    mkdirSync(inside, { recursive: true });
    writeFileSync(`${inside}/${String(at).padStart(6, '0')}.md`, text);
    return `0x${createHash('sha256').update(text).digest('hex')}`;
  });
}

const check = (statement: string, passed: boolean, detail: string): LaneCheck => ({
  statement,
  passed,
  detail,
});

/** Limits what the stack's organisation may have in flight, from its next request on, as its operators do. */
function limitInFlight({ organizationId }: StackFile, limit: number | 'default'): void {
  const args = ['admin/main.ts', 'org', 'update', organizationId, '--in-flight', String(limit)];
  execFileSync(process.execPath, args, { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** All of the stack's attestations from the oldest of these ids on. */
async function listedFrom(stack: StackFile, lines: readonly ManifestLine[]): Promise<Attestation[]> {
  const [oldest = ''] = lines.map(({ id }) => id).sort();
  const listed: Attestation[] = [];
  for await (const attestation of localClient(stack).listAll()) {
    if (attestation.id < oldest) break;
    listed.push(attestation);
  }
  return listed;
}

async function checkService(stack: StackFile, lines: readonly ManifestLine[], count: number) {
  const listed = await listedFrom(stack, lines);
  const ids = new Set(listed.map(({ id }) => id));
  const isSorted = lines.every(({ file }, at) => at === 0 || file > (lines[at - 1]?.file ?? ''));
  const isConfirmed = lines.every(({ status }) => status === 'confirmed');
  const isListed = lines.every(({ id }) => ids.has(id)) && listed.length === count;
  return [
    check(
      'the manifest has each file once, confirmed, in order',
      lines.length === count && isSorted && isConfirmed,
      `${lines.length} lines`,
    ),
    check('the service has these attestations and no other', isListed, `${listed.length} listed`),
  ];
}

async function rehearse(stack: StackFile, count: number, concurrency: number): Promise<boolean> {
  const folder = `${checkout}/.local/rehearsal`;
  rmSync(folder, { recursive: true, force: true });
  const digests = writeArticles(folder, count);
  const client = readingClient(stack.rpcUrl);
  const start = await laneStart(client, stack.signerAddress);
  const rehearsal = { stack, folder, manifestPath: `${folder}/imprimatur.lock.jsonl`, concurrency };
  const startedAt = performance.now();
  for (const share of [1 / 3, 2 / 3]) {
    const { exitCode } = await runCommand(rehearsal, Math.ceil(count * share));
    console.log(
      exitCode === null
        ? `killed with ${manifestLines(rehearsal).length} in the manifest`
        : 'it ended before',
    );
  }
  const { exitCode, printed } = await runCommand(rehearsal);
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(printed);
  const again = await runCommand(rehearsal);
  const history = await laneHistory(client, stack.signerAddress, start.fromBlock);
  const nextNonce = await client.getTransactionCount({ address: stack.signerAddress });
  const { revealDelaySeconds } = stack;
  const checks = [
    check(
      'the command ends with exit code 0, and again',
      exitCode === 0 && again.exitCode === 0,
      `${exitCode}, ${again.exitCode}`,
    ),
    ...(await checkService(stack, manifestLines(rehearsal), count)),
    ...checkLane(history, digests, { ...start, nextNonce, revealDelaySeconds }),
  ];
  for (const { passed, statement, detail } of checks)
    console.log(`${passed ? 'ok    ' : 'FAILED'}  ${statement} (${detail})`);
  const { gasPerAttestation, revealsPerTransaction } = laneFigures(history);
  console.log(
    `${count} articles in ${seconds.toFixed(0)} s, ${(count / seconds).toFixed(1)} a second; ${gasPerAttestation} gas each, ` +
      `reveals per transaction: median ${revealsPerTransaction.median}, largest ${revealsPerTransaction.largest}`,
  );
  return checks.every(({ passed }) => passed);
}

/** Runs the command. @returns its exit status. */
async function main(argv: readonly string[]): Promise<number> {
  try {
    const { count, concurrency, 'in-flight': inFlight, help: isHelp } = readOptionValues(argv, options);
    if (isHelp) {
      console.log(help);
      return 0;
    }
    const stack = readStackFile(`${checkout}/.local`);
    const [articles, atOnce, limit] = [
      wholeNumber('--count', count, 3, 100_000),
      wholeNumber('--concurrency', concurrency, 1, 64),
      wholeNumber('--in-flight', inFlight, 1, 100_000),
    ];
    limitInFlight(stack, limit);
    try {
      return (await unlessStopped(stopRequest(), rehearse(stack, articles, atOnce))) ? 0 : 1;
    } finally {
      limitInFlight(stack, 'default');
    }
  } catch (error) {
    console.error(describeFailure(error));
    return 1;
  }
}

process.exit(await main(process.argv.slice(2)));
