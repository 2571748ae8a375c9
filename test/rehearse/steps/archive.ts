import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Hex } from 'viem';
import { checkout } from '../../../local/checkout.ts';
import { demand } from '../run.ts';
import type { Scene } from '../scene.ts';

const folder = `${checkout}/.local/rehearse/archive/articles`;
const manifestPath = `${folder}/imprimatur.lock.jsonl`;

/** Words of one to four bytes per character, so that bytes, UTF-16 units and characters differ in number. */
const words = 'truth hour Zeitung señal naïve газета 新聞 𝔸ttest 😀 press record and '.repeat(13);

/** Writes the articles, in folders of a thousand. @returns their digests */
function writeArticles(count: number): Hex[] {
  rmSync(folder, { recursive: true, force: true });
  const run = randomUUID();
  return Array.from({ length: count }, (_, at): Hex => {
    const text = `Article ${at + 1} of ${run}. ${words.repeat(1 + (at % 48))}`;
    const inside = `${folder}/${Math.floor(at / 1000)}`;
    mkdirSync(inside, { recursive: true });
    writeFileSync(`${inside}/${String(at).padStart(6, '0')}.md`, text);
    return `0x${createHash('sha256').update(text).digest('hex')}`;
  });
}

interface ManifestLine {
  readonly file: string;
  readonly id: string;
  readonly status: string;
}

/** The last line of each file; one that is being written is left out. */
function manifestLines(): ManifestLine[] {
  if (!existsSync(manifestPath)) return [];
  const text = readFileSync(manifestPath, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  const lines: ManifestLine[] = whole.filter((line) => line !== '').map((line) => JSON.parse(line));
  return [...new Map(lines.map((line) => [line.file, line])).values()];
}

/** Runs the publisher's command until it ends, or kills it at `killAt` files in the manifest. @returns its exit code */
async function runCommand(
  { service, atEnd }: Scene,
  concurrency: number,
  killAt = Number.POSITIVE_INFINITY,
): Promise<number | null> {
  const { apiUrl, apiKey, rpcUrl } = service();
  const args = ['attest', folder, '--yes', '--manifest', manifestPath];
  args.push('--concurrency', String(concurrency), '--rpc', rpcUrl);
  const child = spawn(process.execPath, [`${checkout}/packages/cli/src/main.ts`, ...args], {
    env: { ...process.env, IMPRIMATUR_URL: apiUrl, IMPRIMATUR_API_KEY: apiKey },
    // Standard output is for the report.
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

/** An archive is attested by the publisher's command, which is killed twice on the way. */
export const archive = (options: ArchiveOptions) => async (scene: Scene) => {
  const { count, concurrency } = options;
  const { organizationId } = scene.service();
  await scene.admin('org', 'update', organizationId, '--in-flight', String(options.inFlight));
  const digests = writeArticles(count);
  const startedAt = performance.now();
  for (const share of [1 / 3, 2 / 3]) {
    const exitCode = await runCommand(scene, concurrency, Math.ceil(count * share));
    demand(exitCode === null, 'the command ended before it could be killed');
    scene.log(`killed with ${manifestLines().length} in the manifest`);
  }
  const exitCodes = [await runCommand(scene, concurrency)];
  const seconds = (performance.now() - startedAt) / 1000;
  exitCodes.push(await runCommand(scene, concurrency));
  demand(
    exitCodes.every((code) => code === 0),
    `the command ended with ${exitCodes.join(', and then ')}`,
  );
  scene.proven('the command resumes after each of two kills, completes, and then has nothing to do');
  await proveService(scene, count);
  const attested = await scene.attestedDigests();
  const wrong = digests.filter((digest) => attested.filter((one) => one === digest).length !== 1);
  demand(wrong.length === 0, `the registry does not have ${wrong.length} of the contents exactly once`);
  scene.proven(`the registry has each of the ${count} contents exactly once`);
  scene.log(`${count} articles in ${seconds.toFixed(0)} s, ${(count / seconds).toFixed(1)} a second`);
};

async function proveService(scene: Scene, count: number): Promise<void> {
  const lines = manifestLines();
  const isOrdered = lines.every(({ file }, at) => at === 0 || file > (lines[at - 1]?.file ?? ''));
  const isConfirmed = lines.every(({ status }) => status === 'confirmed');
  const isWhole = lines.length === count && isOrdered && isConfirmed;
  demand(
    isWhole,
    `the ${lines.length} lines of the manifest do not have each file once, confirmed, in order`,
  );
  scene.proven(`the manifest has each of ${count} files once, confirmed, in order`);
  const listed: string[] = [];
  for await (const { id } of scene.client().listAll()) listed.push(id);
  const isSame = isDeepStrictEqual(new Set(listed), new Set(lines.map(({ id }) => id)));
  demand(
    isSame && listed.length === count,
    `the service lists ${listed.length} attestations, or different ones`,
  );
  scene.proven('the service has these attestations and no others');
}
