import { ageLimits, blockAgeSeconds, durationText } from '../../../../functions/domain/age-limits.ts';
import type { ChainSettings } from '../../../../functions/domain/settings.ts';
import { type Finding, notAsked, type Outcome, ok, problem, warning } from '../report.ts';
import { blockAt, type ProviderLook } from './providers.ts';

/** A provider that answered. */
type Seen = ProviderLook & { readonly head: NonNullable<ProviderLook['head']> };

const isSeen = (look: ProviderLook): look is Seen => look.head !== undefined;

/** Providers may be some blocks or seconds apart: they were not asked at the same moment. */
const spareBlocks = 3;
const spareSeconds = 30;

/** Checks that the providers of a chain answer as that chain, and agree on its newest blocks. */
export async function checkProviders(
  settings: ChainSettings,
  parameter: string,
  looks: readonly ProviderLook[],
  now: Date,
): Promise<Finding[]> {
  const seen = looks.filter(isSeen);
  const answering = { check: 'providers', ...answers(settings, parameter, looks) };
  if (seen.length === 0) return [answering];
  return [
    answering,
    { check: 'newest block', ...(await agreement(settings, seen)) },
    { check: "newest block's age", ...headAge(settings, seen, now) },
  ];
}

function answers({ chainId }: ChainSettings, parameter: string, looks: readonly ProviderLook[]): Outcome {
  const failed = looks.filter((look) => !isSeen(look));
  const reasons = failed.map(({ provider, failure }) => `${provider.name}: ${failure}`).join('; ');
  const todo = `Replace its URL in the SSM parameter ${parameter}.`;
  if (failed.length === looks.length) return problem(`none answers as chain ${chainId}: ${reasons}`, todo);
  if (failed.length > 0)
    return warning(`${failed.length} of ${looks.length} do not answer: ${reasons}`, todo);
  return ok(`${looks.map(({ provider }) => provider.name).join(', ')} answer as chain ${chainId}`);
}

async function agreement({ blockTimeSeconds }: ChainSettings, seen: readonly Seen[]): Promise<Outcome> {
  const numbers = seen.map(({ head }) => head.number);
  const [lowest, highest] = [Math.min(...numbers), Math.max(...numbers)];
  if (seen.length === 1) return ok(`${highest}; one provider alone has nothing to be compared with`);
  const spare = Math.max(spareBlocks, Math.ceil(spareSeconds / blockTimeSeconds));
  const behind = seen.filter(({ head }) => highest - head.number > spare);
  if (behind.length > 0)
    return warning(
      behind
        .map(({ provider, head }) => `${provider.name} is ${highest - head.number} blocks behind`)
        .join(', '),
      'Run doctor again; replace the URL of a provider that stays behind.',
    );
  const blocks = await Promise.all(seen.map(({ provider }) => blockAt(provider, lowest)));
  const hashes = new Set(blocks.flatMap((block) => (block ? [block.hash] : [])));
  if (hashes.size > 1)
    return warning(
      `the providers show different blocks ${lowest}: one of them is on a fork, or the chain is reorganised`,
      'Run doctor again; if it stays so, compare the block with an explorer.',
    );
  return ok(`${highest}; all ${seen.length} providers agree`);
}

function headAge(settings: ChainSettings, seen: readonly Seen[], now: Date): Outcome {
  const age = Math.min(...seen.map(({ head }) => blockAgeSeconds(head, now)));
  if (age > ageLimits(settings).head)
    return warning(
      `${durationText(age)}: the chain stands still, or its providers do`,
      'Compare the block with an explorer.',
    );
  return ok(durationText(age));
}

/** Blocks over which the time between blocks is measured, and the fewest that say anything. */
const measuredBlocks = 1_000;
const fewestBlocks = 20;

/** Compares the chain's time between blocks with the settings: a lane looks that often. */
export async function checkBlockTime(settings: ChainSettings, look: ProviderLook): Promise<Outcome> {
  const { head, provider } = look;
  if (!head || head.number < fewestBlocks) return notAsked('the chain has too few blocks');
  const distance = Math.min(measuredBlocks, head.number - 1);
  const earlier = await blockAt(provider, head.number - distance);
  if (!earlier) return notAsked(`${provider.name} does not show block ${head.number - distance}`);
  const measured = (head.timestamp - earlier.timestamp) / distance;
  const says = `${measured.toFixed(2)} s over ${distance} blocks; the settings say ${settings.blockTimeSeconds} s`;
  const ratio = measured / settings.blockTimeSeconds;
  if (ratio > 0.5 && ratio < 2) return ok(says);
  return warning(says, 'Correct blockTimeSeconds in the settings: a busy lane looks that often.');
}
