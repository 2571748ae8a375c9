import { printableLine } from 'imprimatur-terminal/text';
import { durationText } from '../text.ts';
import type { Estimate, Range } from './estimate.ts';
import type { Fault, Plan } from './plan.ts';
import type { Counts } from './run.ts';
import type { ArchiveOptions } from './steps.ts';

const maxLines = 20;

export const grouped = (count: number) => Math.round(count).toLocaleString('en');

export const plural = (count: number, name: string) => `${grouped(count)} ${name}${count === 1 ? '' : 's'}`;

export function shorten(lines: readonly string[]): string[] {
  const more = lines.length - maxLines;
  return more > 0 ? [...lines.slice(0, maxLines), `and ${grouped(more)} more; --json lists all`] : [...lines];
}

const faultLines = (faults: readonly Fault[]): string[] =>
  faults.map(({ file, error }) => printableLine(error.startsWith(file) ? error : `${file}: ${error}`));

const formatAmount = (amount: number) =>
  amount.toLocaleString('en', { maximumSignificantDigits: 2, maximumFractionDigits: 20 });

function rangeText({ from, to }: Range, format: (amount: number) => string): string {
  const [low, high] = [format(from), format(to)];
  return low === high ? low : `${low} to ${high}`;
}

export interface PlanView {
  readonly plan: Plan;
  readonly files: number;
  readonly otherFiles: number;
  /** Files with invisible characters; empty without `--exact-text`. */
  readonly filesWithHidden: readonly string[];
  readonly chain: { readonly chainId: number; readonly name: string; readonly authorityAddress: string };
  readonly options: ArchiveOptions;
  readonly estimate: Estimate;
}

const bytesOf = ({ toSend }: Plan) => toSend.reduce((sum, { bytes }) => sum + bytes, 0);

export function planJson(view: PlanView) {
  const { plan, files, otherFiles, filesWithHidden, chain, options, estimate } = view;
  return {
    ...{ files, texts: plan.texts.length, toAttest: plan.toSend.length, bytes: bytesOf(plan) },
    ...{ changed: plan.changed, faults: plan.faults, otherFiles, filesWithHidden },
    ...{ chainId: chain.chainId, authorityAddress: chain.authorityAddress, manifest: options.manifest },
    estimate,
  };
}

export function planText(view: PlanView): string {
  const { plan, files, otherFiles, chain, options } = view;
  const duplicates = files - plan.faults.length - plan.texts.length;
  const attested = plan.texts.length - plan.toSend.length;
  const links = options.linkCorrections ? 'linked when confirmed' : 'to link them, pass --link-corrections';
  const lines = [
    [plan.toSend.length, `to attest, ${grouped(bytesOf(plan))} bytes`],
    [attested, `attested or in progress in ${printableLine(options.manifest)}`],
    [duplicates, 'duplicates: one attestation, with the URL of the first'],
    [plan.changed.length, `changed: attested as new; ${links}`],
    [view.filesWithHidden.length, 'with invisible characters; to list them, run imprimatur text FILE'],
    [otherFiles, 'omitted from folders: not .md, .markdown or .txt'],
    [plan.faults.length, 'cannot be attested:'],
  ] as const;
  return [
    plural(files, 'file'),
    ...lines.filter(([count]) => count > 0).map(([count, text]) => `${grouped(count).padStart(9)}  ${text}`),
    ...shorten(faultLines(plan.faults)).map((line) => `           ${line}`),
    '',
    `chain      ${printableLine(chain.name)} (${chain.chainId})`,
    `authority  ${printableLine(chain.authorityAddress)}`,
    ...(plan.toSend.length > 0 ? estimateLines(view.estimate, options.concurrency) : []),
  ].join('\n');
}

function estimateLines(estimate: Estimate, concurrency: number): string[] {
  const { gas, gasEach, gasPriceGwei, cost, coin, secondsToSend, secondsToReveal } = estimate;
  const price =
    gasPriceGwei === null || cost === null
      ? 'unknown: no RPC provider returned the gas price; pass one with --rpc'
      : `${rangeText(cost, formatAmount)} ${coin ?? "of the chain's coin"} at ${formatAmount(gasPriceGwei)} gwei, paid by the service`;
  const confirmed =
    secondsToReveal === null
      ? ''
      : `; your newest confirmed attestation was revealed after ${durationText(secondsToReveal)}`;
  return [
    `gas        ${rangeText(gas, grouped)}, ${rangeText(gasEach, grouped)} each`,
    `cost       ${price}`,
    `time       about ${durationText(secondsToSend)} to send, ${concurrency} at once${confirmed}`,
  ];
}

export function summaryText(counts: Counts, faults: readonly Fault[], manifestPath: string, seconds: number) {
  const { total, confirmed, failed } = counts;
  const inProgress = total - confirmed - failed;
  const parts = [
    `${grouped(confirmed)} confirmed`,
    ...(inProgress > 0 ? [`${grouped(inProgress)} in progress`] : []),
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
  ];
  return [
    `${plural(total, 'text')}: ${parts.join(', ')}, in ${durationText(seconds)}`,
    `manifest: ${printableLine(manifestPath)}`,
    ...(inProgress > 0 ? ['', 'The service continues. To check again, run the same command.'] : []),
    ...(faults.length > 0
      ? ['', `failed, ${plural(faults.length, 'file')}:`, ...shorten(faultLines(faults))]
      : []),
  ].join('\n');
}
