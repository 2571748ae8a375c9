import { blockByNumber, type HashedBlock, newestBlock } from '../../../../functions/adapters/chain/blocks.ts';
import { connectRpc, type Rpc } from '../../../../functions/adapters/chain/rpc.ts';
import { providerErrorText } from '../../../../functions/adapters/chain/rpc-errors.ts';
import { providerTransport, withTimeout } from '../../../../functions/adapters/chain/transport.ts';
import { ageLimits, blockAgeSeconds, durationText } from '../../../../functions/domain/age-limits.ts';
import type { Head } from '../../../../functions/domain/chain.ts';
import type { ChainSettings } from '../../../../functions/domain/settings.ts';
import { withoutUrls } from '../../../error-line.ts';
import { type Finding, notChecked, type Outcome, ok, problem, warning } from '../report.ts';

/** Time for one request to one provider. */
const timeoutMs = 8_000;

export interface Provider {
  /** Its host, with a number if several URLs have the same host. The rest of a URL may contain a key. */
  readonly name: string;
  readonly rpc: Rpc;
  /** Describes a failure without the secrets of the URL. */
  failure(error: unknown): string;
}

export function providersOf(urls: readonly string[], settings: ChainSettings): Provider[] {
  const hosts = urls.map((url) => new URL(url).host);
  return urls.map((url, position) => {
    const host = hosts[position] ?? '';
    const number = hosts.slice(0, position + 1).filter((other) => other === host).length;
    const isUnique = hosts.filter((other) => other === host).length === 1;
    const request = connectRpc(providerTransport(url, settings, timeoutMs));
    return {
      name: isUnique ? host : `${host} (${number})`,
      rpc: (method, params, schema) => withTimeout(timeoutMs, () => request(method, params, schema)),
      failure: (error) => withoutUrl(providerErrorText(error), url),
    };
  });
}

/** A provider's error may quote its URL. */
export function withoutUrl(text: string, url: string): string {
  const { username, password, pathname, search } = new URL(url);
  const secrets = [username, password, ...pathname.split('/'), ...search.split(/[?&=]/)]
    .flatMap((part) => [part, decodeURIComponent(part)])
    // Shorter parts are words such as `v3` or `key`.
    .filter((part) => part.length >= 6)
    .toSorted((a, b) => b.length - a.length);
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '<secret>'), withoutUrls(text));
}

/** A provider that answers, with its newest block. */
export interface Live {
  readonly provider: Provider;
  readonly head: HashedBlock & Head;
}

/** A provider that answers, or its failure. */
type Answer = Live | { readonly provider: Provider; readonly failure: string };

export const isLive = (answer: Answer): answer is Live => 'head' in answer;

/** Reads the newest block of every provider. A provider of another chain fails. */
export function readHeads(providers: readonly Provider[]): Promise<Answer[]> {
  return Promise.all(
    providers.map(async (provider) => {
      try {
        return { provider, head: await newestBlock(provider.rpc) };
      } catch (error) {
        return { provider, failure: provider.failure(error) };
      }
    }),
  );
}

async function blockAt({ rpc }: Provider, blockNumber: number): Promise<HashedBlock | undefined> {
  return blockByNumber(rpc, blockNumber).catch(() => undefined);
}

/** Tolerated difference between the newest blocks of providers. */
const toleratedBlocks = 3;
const toleratedSeconds = 30;

export async function checkProviders(
  settings: ChainSettings,
  parameter: string,
  answers: readonly Answer[],
  now: Date,
): Promise<Finding[]> {
  const live = answers.filter(isLive);
  const responses = { check: 'providers', ...checkAnswers(settings, parameter, answers) };
  if (live.length === 0) return [responses];
  return [
    responses,
    { check: 'newest block', ...(await checkAgreement(settings, live)) },
    { check: "newest block's age", ...checkHeadAge(settings, live, now) },
  ];
}

function checkAnswers({ chainId }: ChainSettings, parameter: string, answers: readonly Answer[]): Outcome {
  const failed = answers.flatMap((answer) => (isLive(answer) ? [] : [answer]));
  const reasons = failed.map(({ provider, failure }) => `${provider.name}: ${failure}`).join('; ');
  const put = `aws ssm put-parameter --overwrite --type SecureString --name ${parameter} --value file://FILE`;
  const todo = `Replace each URL that fails: write all URLs to a file, one per line, and run ${put}`;
  if (failed.length === answers.length) return problem(`none responds as chain ${chainId}: ${reasons}`, todo);
  if (failed.length > 0)
    return warning(`no valid response from ${failed.length} of ${answers.length}: ${reasons}`, todo);
  return ok(`chain ${chainId} is served by ${answers.map(({ provider }) => provider.name).join(', ')}`);
}

async function checkAgreement({ blockTimeSeconds }: ChainSettings, live: readonly Live[]): Promise<Outcome> {
  const numbers = live.map(({ head }) => head.number);
  const [lowest, highest] = [Math.min(...numbers), Math.max(...numbers)];
  if (live.length === 1) return ok(`${highest}; there is no second provider to compare with`);
  const tolerated = Math.max(toleratedBlocks, Math.ceil(toleratedSeconds / blockTimeSeconds));
  const behind = live.filter(({ head }) => highest - head.number > tolerated);
  if (behind.length > 0)
    return warning(
      behind
        .map(({ provider, head }) => `${provider.name} is ${highest - head.number} blocks behind`)
        .join(', '),
      'Run doctor again; if the provider stays behind, replace its URL.',
    );
  const blocks = await Promise.all(live.map(({ provider }) => blockAt(provider, lowest)));
  const hashes = new Set(blocks.flatMap((block) => (block ? [block.hash] : [])));
  if (hashes.size > 1)
    return warning(
      `the providers disagree on block ${lowest}: one is on a fork, or there is a reorg`,
      'Run doctor again; if they still disagree, compare the block with an explorer.',
    );
  return ok(`${highest}; all ${live.length} providers agree`);
}

function checkHeadAge(settings: ChainSettings, live: readonly Live[], now: Date): Outcome {
  const age = Math.min(...live.map(({ head }) => blockAgeSeconds(head, now)));
  if (age > ageLimits(settings).head)
    return warning(
      `${durationText(age)}: the chain or its providers are stale`,
      'Compare the block with an explorer.',
    );
  return ok(durationText(age));
}

/** Number of blocks to measure, and the minimum number. */
const measuredBlocks = 1_000;
const minBlocks = 20;

export async function checkBlockTime(settings: ChainSettings, { head, provider }: Live): Promise<Outcome> {
  if (head.number < minBlocks) return notChecked('the chain has too few blocks');
  const distance = Math.min(measuredBlocks, head.number - 1);
  const earlier = await blockAt(provider, head.number - distance);
  if (!earlier) return notChecked(`${provider.name} does not have block ${head.number - distance}`);
  const measured = (head.timestamp - earlier.timestamp) / distance;
  const message = `${measured.toFixed(2)} s over ${distance} blocks, ${settings.blockTimeSeconds} s in the settings`;
  const ratio = measured / settings.blockTimeSeconds;
  if (ratio > 0.5 && ratio < 2) return ok(message);
  return warning(message, 'Fix blockTimeSeconds in the settings, which sets how often a busy lane polls.');
}
