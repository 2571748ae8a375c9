import type { Command } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import { gasForBatch } from 'imprimatur-terminal/measured-gas';
import { table } from 'imprimatur-terminal/text';
import { wholeNumber } from 'imprimatur-terminal/whole-number';
import { isPublicRegistry, knownChains } from 'imprimatur-verifier';
import { formatEther, formatGwei } from 'viem';
import { durationText } from '../../functions/domain/age-limits.ts';
import { coinsToWei, gweiToWei } from '../../functions/domain/amounts.ts';
import type { SignerFeeData } from '../../functions/domain/chain.ts';
import { feeBudget } from '../../functions/domain/organization/fee-usage.ts';
import { batchLimits } from '../../functions/domain/sending/batch-call.ts';
import { larger } from '../../functions/domain/sending/fees.ts';
import {
  type ChainSettings,
  finalitySeconds,
  opStackChainIds,
  type Settings,
  settingsSchema,
} from '../../functions/domain/settings.ts';
import type { Account } from '../account/connect-account.ts';
import { chainOption, readUrls } from '../deployment/arguments.ts';
import type { CommandResult, ToAccountAction } from '../deployment/command.ts';
import { type ChainView, connectChain } from '../deployment/connect-chain.ts';
import { UsageInvalidError } from '../terminal/errors.ts';
import { feeOf } from './doctor/chain/simulation.ts';

const description = 'Estimate the cost and time of attesting an archive, at current fees and at the fee cap.';

const help = helpText({
  notes: `With --rpc-file, it reads no deployment and assumes the default settings.
docs/costs.md has the measurements.`,
  examples: [
    'admin estimate --chain 8453 --articles 10000',
    'admin estimate --chain 10 --articles 10000 --rpc-file urls.txt',
  ],
});

interface Options {
  readonly chain: number;
  readonly articles: number;
  readonly rpcFile?: readonly string[];
}

export function estimate(program: Command, toAccountAction: ToAccountAction): void {
  program
    .command('estimate')
    .description(description)
    .requiredOption(...chainOption)
    .requiredOption('--articles <n>', 'number of articles', wholeNumber(1, 1_000_000_000))
    .option('--rpc-file <file>', 'file with RPC URLs of a chain that is not served', readUrls('--rpc-file'))
    .addHelpText('after', help)
    .action(toAccountAction(run));
}

/** USD of AWS for a thousand attestations, and for an idle month, as in docs/costs.md. */
const awsUsd = { single: 0.79, batch: 0.25, idleMonth: 21 } as const;

/** Transactions of a commit and a reveal through a forwarder, with the bytes of their calldata. */
const kinds = {
  batch: { size: batchLimits.members, calldata: [196, 4_988] },
  single: { size: 1, calldata: [196, 356] },
} as const;

type Kind = keyof typeof kinds;

async function run(account: Account, _isColored: boolean, options: Options): Promise<CommandResult> {
  const estimated = await readEstimate(account, options);
  return { json: estimated, text: estimateText(estimated) };
}

type Estimate = Awaited<ReturnType<typeof readEstimate>>;

async function readEstimate(account: Account, options: Options) {
  const { settings, chain, view } = await findChain(account, options);
  const hasBatches = !isPublicRegistry(chain.chainId, chain.registryAddress);
  const [single, batch] = await Promise.all([
    costOf('single', view, chain, options.articles),
    hasBatches ? costOf('batch', view, chain, options.articles) : null,
  ]);
  const best = batch ?? single;
  return {
    ...{ chainId: chain.chainId, name: chain.name, articles: options.articles },
    coin: knownChains[chain.chainId] ? 'ETH' : null,
    ...{ gasPriceWei: best.gasPriceWei, feeCapGwei: chain.maxFeePerGasGwei },
    /** `null` if the registry takes no batches. */
    batch,
    ...{ single, idleMonthUsd: awsUsd.idleMonth },
    ...timeOf(settings, chain, options.articles, batch ? 'batch' : 'single'),
    days: daysOf(settings, chain, options.articles, best.nowWei),
  };
}

async function findChain(account: Account, { chain: chainId, rpcFile: urls }: Options) {
  if (urls) {
    const rollup = opStackChainIds.includes(chainId) ? 'opStack' : undefined;
    const registryAddress = '0x0000000000000000000000000000000000000001';
    const name = knownChains[chainId]?.name ?? 'not served';
    const settings = settingsSchema.parse({ chains: [{ chainId, name, registryAddress, rollup }] });
    const [chain] = settings.chains as [ChainSettings];
    return { settings, chain, view: connectChain(chain, { urls, advice: 'check the --rpc-file file' }) };
  }
  const deployment = (await account.stack()) && (await account.deployment());
  const settings = await deployment?.settings();
  const chain = settings?.chains.find((served) => served.chainId === chainId);
  if (deployment && settings && chain) return { settings, chain, view: await deployment.chain(chain) };
  throw new UsageInvalidError(
    `chain ${chainId} is not served; pass --rpc-file with a file that contains an RPC URL of the chain`,
  );
}

async function costOf(kind: Kind, view: ChainView, chain: ChainSettings, articles: number) {
  const { size, calldata } = kinds[kind];
  const read = await Promise.all(calldata.map((bytes) => view.feeData(bytes)));
  const [commit, reveal] = read.map((data) => ({
    ...data,
    tip: larger(data.tip, gweiToWei(chain.minPriorityFeeGwei)),
  })) as [SignerFeeData, SignerFeeData];
  const gasEach = gasForBatch(size);
  const transactions = 2 * Math.ceil(articles / size);
  const cap = { baseFee: gweiToWei(chain.maxFeePerGasGwei), tip: 0n };
  // The fee is linear in gas, and the rollup's part is due for each transaction.
  const wei = (price: Partial<SignerFeeData>) =>
    BigInt(transactions / 2) * (feeOf({ ...commit, ...price }, 0n) + feeOf({ ...reveal, ...price }, 0n)) +
    gasFee({ ...reveal, ...price }, BigInt(gasEach * articles));
  return {
    ...{ gasEach, transactions, gasPriceWei: reveal.baseFee + reveal.tip },
    ...{ nowWei: wei({}), atCapWei: wei(cap), awsUsd: (articles * awsUsd[kind]) / 1_000 },
  };
}

const gasFee = (data: SignerFeeData, gas: bigint): bigint => feeOf(data, gas) - feeOf(data, 0n);

/** Blocks for which a new attestation and its transactions wait. */
const waitedBlocks = 3;

/** Computes the time by the lane's throughput, or by the attestations that an organization may have in flight. */
function timeOf({ limits }: Settings, chain: ChainSettings, articles: number, kind: Kind) {
  const { maxInFlight, blockTimeSeconds, revealDelaySeconds } = chain;
  const lane = (maxInFlight * kinds[kind].size) / (2 * blockTimeSeconds);
  const eachSeconds = revealDelaySeconds + finalitySeconds(chain) + waitedBlocks * blockTimeSeconds;
  const inFlight = limits.inFlight / eachSeconds;
  const perSecond = Math.min(lane, inFlight);
  const limitedBy = lane <= inFlight ? `maxInFlight ${maxInFlight}` : `limits.inFlight ${limits.inFlight}`;
  return { seconds: Math.round(articles / perSecond + eachSeconds), limitedBy };
}

/** Computes the days (UTC) that limits and budgets spread the archive over. */
function daysOf({ limits }: Settings, chain: ChainSettings, articles: number, wei: bigint) {
  const daysFor = (budget: bigint) => Number((wei + budget - 1n) / budget) || 1;
  const { dailyFeeBudget } = chain;
  return {
    attestationsPerDay: Math.ceil(articles / limits.attestationsPerDay),
    organizationDailyFeeBudget: daysFor(feeBudget(chain)),
    dailyFeeBudget: dailyFeeBudget === undefined ? null : daysFor(coinsToWei(dailyFeeBudget)),
  };
}

const grouped = (count: number): string => count.toLocaleString('en');

function estimateText(found: Estimate): string {
  const { chainId, name, articles, coin, gasPriceWei, feeCapGwei, batch, single, idleMonthUsd } = found;
  const isCapped = gasPriceWei > gweiToWei(feeCapGwei);
  const rows = [...(batch ? [batchRow('batches of 48', batch)] : []), batchRow('single', single)];
  const unit = coin ?? 'COINS';
  return [
    `${grouped(articles)} attestations on chain ${chainId} (${name})`,
    `Fees are ${formatGwei(gasPriceWei)} gwei now, and the cap is ${feeCapGwei} gwei${isCapped ? ': attestations wait' : ''}.`,
    '',
    table(['SENT AS', 'GAS EACH', 'TRANSACTIONS', `${unit} NOW`, `${unit} AT THE CAP`, 'AWS (USD)'], rows),
    '',
    `AWS also takes about ${idleMonthUsd} USD a month, without any attestation.`,
    `Sending takes at least ${durationText(found.seconds)}, limited by ${found.limitedBy}.`,
    `At current fees, daily limits spread it over ${daysText(found.days)}.`,
    ...(batch ? [] : ['The public registry takes no batches.']),
  ].join('\n');
}

type Cost = Estimate['single'];

const batchRow = (name: string, { gasEach, transactions, nowWei, atCapWei, awsUsd }: Cost) => [
  ...[name, grouped(gasEach), grouped(transactions), coins(nowWei), coins(atCapWei), awsUsd.toFixed(2)],
];

const coins = (wei: bigint): string =>
  Number(formatEther(wei)).toLocaleString('en', { maximumSignificantDigits: 3, useGrouping: false });

function daysText(days: Estimate['days']): string {
  const limits = Object.entries(days).flatMap(([name, count]) =>
    count === null ? [] : [`${grouped(count)} ${count === 1 ? 'day' : 'days'} (${name})`],
  );
  return limits.join(', ');
}
