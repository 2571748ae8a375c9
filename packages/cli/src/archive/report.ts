import { inOneLine } from 'imprimatur-terminal/text';
import { durationText } from '../text.ts';
import type { Estimate, Range } from './estimate.ts';
import type { Fault, Plan } from './plan.ts';
import type { Counts } from './run.ts';
import type { ArchiveChoice } from './work.ts';

/** Names that a text for a person lists at most. */
const mostNames = 20;

export const grouped = (count: number) => Math.round(count).toLocaleString('en');

const counted = (count: number, name: string) => `${grouped(count)} ${name}${count === 1 ? '' : 's'}`;

/** At most twenty of the lines, and how many more there are. */
export function firstOf(lines: readonly string[]): string[] {
  const more = lines.length - mostNames;
  return more > 0
    ? [...lines.slice(0, mostNames), `and ${grouped(more)} more, which --json lists`]
    : [...lines];
}

const faultLines = (faults: readonly Fault[]): string[] =>
  faults.map(({ file, error }) => inOneLine(error.startsWith(file) ? error : `${file}: ${error}`));

const significant = (amount: number) =>
  amount.toLocaleString('en', { maximumSignificantDigits: 2, maximumFractionDigits: 20 });

function rangeText({ from, to }: Range, format: (amount: number) => string): string {
  const [low, high] = [format(from), format(to)];
  return low === high ? low : `${low} to ${high}`;
}

export interface PlanView {
  readonly plan: Plan;
  readonly files: number;
  readonly otherFiles: number;
  /** Files with characters that do not show, as far as texts are looked at. */
  readonly filesWithHidden: readonly string[];
  readonly chain: { readonly chainId: number; readonly name: string; readonly authorityAddress: string };
  readonly choice: ArchiveChoice;
  readonly estimate: Estimate;
}

const bytesOf = ({ toSend }: Plan) => toSend.reduce((sum, { bytes }) => sum + bytes, 0);

export function planJson(view: PlanView) {
  const { plan, files, otherFiles, filesWithHidden, chain, choice, estimate } = view;
  return {
    ...{ files, texts: plan.texts.length, toAttest: plan.toSend.length, bytes: bytesOf(plan) },
    ...{ changed: plan.changed, faults: plan.faults, otherFiles, filesWithHidden },
    ...{ chainId: chain.chainId, authorityAddress: chain.authorityAddress, manifest: choice.manifest },
    estimate,
  };
}

export function planText(view: PlanView): string {
  const { plan, files, otherFiles, chain, choice } = view;
  const same = files - plan.faults.length - plan.texts.length;
  const known = plan.texts.length - plan.toSend.length;
  const links = choice.linkCorrections ? 'linked once confirmed' : '--link-corrections links them';
  const lines = [
    [plan.toSend.length, `to attest, ${grouped(bytesOf(plan))} bytes`],
    [known, `attested or under way by ${inOneLine(choice.manifest)}`],
    [same, 'with the same text as another: one attestation, with the URL of the first'],
    [plan.changed.length, `changed since: attested as new; ${links}`],
    [view.filesWithHidden.length, 'with characters that do not show: imprimatur text FILE tells which'],
    [otherFiles, 'left out of folders, being neither .md, .markdown nor .txt'],
    [plan.faults.length, 'that cannot be attested:'],
  ] as const;
  return [
    counted(files, 'file'),
    ...lines.filter(([count]) => count > 0).map(([count, what]) => `${grouped(count).padStart(9)}  ${what}`),
    ...firstOf(faultLines(plan.faults)).map((line) => `           ${line}`),
    '',
    `chain      ${inOneLine(chain.name)} (${chain.chainId})`,
    `authority  ${inOneLine(chain.authorityAddress)}`,
    ...(plan.toSend.length > 0 ? estimateLines(view.estimate, choice.concurrency) : []),
  ].join('\n');
}

function estimateLines(estimate: Estimate, concurrency: number): string[] {
  const { gas, gasEach, gasPriceGwei, cost, coin, secondsToSend, secondsToConfirm } = estimate;
  const price =
    gasPriceGwei === null || cost === null
      ? 'not known: no RPC provider told the gas price; --rpc names one'
      : `${rangeText(cost, significant)} ${coin ?? "of the chain's coin"} at ${significant(gasPriceGwei)} gwei, paid by the service`;
  const confirmed =
    secondsToConfirm === null ? '' : `; the last one was confirmed in ${durationText(secondsToConfirm)}`;
  return [
    `gas        ${rangeText(gas, grouped)}, ${rangeText(gasEach, grouped)} each`,
    `cost       ${price}`,
    `time       about ${durationText(secondsToSend)} to send, ${concurrency} at once${confirmed}`,
  ];
}

export function endingText(
  counts: Counts,
  faults: readonly Fault[],
  manifestPath: string,
  seconds: number,
): string {
  const { total, confirmed, failed } = counts;
  const underWay = total - confirmed - failed;
  const parts = [
    `${grouped(confirmed)} confirmed`,
    ...(underWay > 0 ? [`${grouped(underWay)} under way`] : []),
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
  ];
  return [
    `${counted(total, 'text')}: ${parts.join(', ')}, in ${durationText(seconds)}`,
    `manifest: ${inOneLine(manifestPath)}`,
    ...(underWay > 0 ? ['', 'the service goes on; the same command looks again'] : []),
    ...(faults.length > 0
      ? ['', `not done, of ${counted(faults.length, 'file')}:`, ...firstOf(faultLines(faults))]
      : []),
  ].join('\n');
}
