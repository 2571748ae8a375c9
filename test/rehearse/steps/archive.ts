import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Hex } from 'viem';
import { checkout } from '../../../local/checkout.ts';
import { assert } from '../conditions.ts';
import type { StepContext } from '../step-context.ts';

const folder = `${checkout}/.local/rehearse/archive/articles`;
const manifestPath = `${folder}/imprimatur.lock.jsonl`;

/** Words of one to four bytes per character, so that bytes, UTF-16 units and characters differ in number. */
const words = 'truth hour Zeitung señal naïve газета 新聞 𝔸ttest 😀 press record and '.repeat(13);

/** Writes the articles, in folders of a thousand. @returns their digests */
function writeArticles(count: number): Hex[] {
  rmSync(folder, { recursive: true, force: true });
  const run = randomUUID();
  return Array.from({ length: count }, (_, index): Hex => {
    const text = `Article ${index + 1} of ${run}. ${words.repeat(1 + (index % 48))}`;
    const subfolder = `${folder}/${Math.floor(index / 1000)}`;
    mkdirSync(subfolder, { recursive: true });
    writeFileSync(`${subfolder}/${String(index).padStart(6, '0')}.md`, text);
    return `0x${createHash('sha256').update(text).digest('hex')}`;
  });
}

interface ManifestLine {
  readonly file: string;
  readonly id: string;
  readonly status: string;
}

/** Reads the manifest's last line about each file. Omits a line that is not completely written. */
function manifestLines(): ManifestLine[] {
  if (!existsSync(manifestPath)) return [];
  const text = readFileSync(manifestPath, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  const lines: ManifestLine[] = whole.filter((line) => line !== '').map((line) => JSON.parse(line));
  return [...new Map(lines.map((line) => [line.file, line])).values()];
}

/** Runs the publisher's command until it ends, or kills it at `killAt` files in the manifest. @returns its exit code */
async function runCommand(
  { service, atEnd }: StepContext,
  concurrency: number,
  killAt = Number.POSITIVE_INFINITY,
): Promise<number | null> {
  const { apiUrl, apiKey, rpcUrl } = service();
  const args = ['attest', folder, '--yes', '--manifest', manifestPath];
  args.push('--concurrency', String(concurrency), '--rpc', rpcUrl);
  const child = spawn(process.execPath, [`${checkout}/packages/cli/src/main.ts`, ...args], {
    env: { ...process.env, IMPRIMATUR_URL: apiUrl, IMPRIMATUR_API_KEY: apiKey },
    // Stdout is for the report.
    stdio: ['ignore', 2, 2],
  });
  const kill = () => child.kill('SIGKILL');
  atEnd(async () => kill());
  const ended = once(child, 'exit');
  while (child.exitCode === null && manifestLines().length < killAt) await Promise.race([ended, pause(1000)]);
  if (child.exitCode === null) kill();
  const [exitCode] = await ended;
  return exitCode;
}

export interface ArchiveOptions {
  readonly count: number;
  readonly concurrency: number;
  readonly inFlight: number;
}

/** Attests an archive with the publisher's command, which is killed twice during the run. */
export const archive = (options: ArchiveOptions) => async (context: StepContext) => {
  const { count, concurrency } = options;
  const { organizationId } = context.service();
  await context.admin('org', 'update', organizationId, '--in-flight', String(options.inFlight));
  const digests = writeArticles(count);
  const startedAt = performance.now();
  for (const share of [1 / 3, 2 / 3]) {
    const exitCode = await runCommand(context, concurrency, Math.ceil(count * share));
    assert(exitCode === null, 'the command ended before it could be killed');
    context.log(`killed with ${manifestLines().length} in the manifest`);
  }
  const exitCodes = [await runCommand(context, concurrency)];
  const seconds = (performance.now() - startedAt) / 1000;
  exitCodes.push(await runCommand(context, concurrency));
  assert(
    exitCodes.every((code) => code === 0),
    `the command ended with ${exitCodes.join(', and then ')}`,
  );
  context.proven('the command resumes after each of two kills, completes, and then has nothing to do');
  await proveService(context, count);
  const attested = await context.attestedDigests();
  const wrong = digests.filter((digest) => attested.filter((one) => one === digest).length !== 1);
  assert(wrong.length === 0, `the registry does not have ${wrong.length} of the contents exactly once`);
  context.proven(`the registry has each of the ${count} contents exactly once`);
  context.log(`${count} articles in ${seconds.toFixed(0)} s, ${(count / seconds).toFixed(1)} a second`);
};

async function proveService(context: StepContext, count: number): Promise<void> {
  const lines = manifestLines();
  const isOrdered = lines.every(({ file }, index) => index === 0 || file > (lines[index - 1]?.file ?? ''));
  const isConfirmed = lines.every(({ status }) => status === 'confirmed');
  const isWhole = lines.length === count && isOrdered && isConfirmed;
  assert(
    isWhole,
    `the ${lines.length} lines of the manifest do not have each file once, confirmed, in order`,
  );
  context.proven(`the manifest has each of ${count} files once, confirmed, in order`);
  const listed: string[] = [];
  for await (const { id } of context.client().listAll()) listed.push(id);
  const isSame = isDeepStrictEqual(new Set(listed), new Set(lines.map(({ id }) => id)));
  assert(
    isSame && listed.length === count,
    `the service lists ${listed.length} attestations, which are not the ${count} of the manifest`,
  );
  context.proven('the service has these attestations and no others');
}
