import { styleText } from 'node:util';
import { wrap } from '../../admin/commands/doctor/report.ts';
import type { Paper } from '../../admin/deployment/command.ts';
import type { StepName } from './options.ts';

export interface NotProven {
  readonly what: string;
  readonly why: string;
}

/** Outcome of a step. */
export interface StepReport {
  readonly step: StepName;
  readonly state: 'done' | 'failed' | 'not run';
  readonly seconds: number;
  readonly proven: readonly string[];
  readonly notProven: readonly NotProven[];
  /** Why it failed. */
  readonly failure?: string;
}

export interface SmokeReport {
  /** Where it was. */
  readonly place: string;
  readonly stackName: string;
  readonly seconds: number;
  readonly steps: readonly StepReport[];
  /** What is left in the account or on this machine, and how to remove it. */
  readonly leftBehind: readonly string[];
}

/** 0 if all that was tried holds, otherwise 1. */
export const exitCodeOf = ({ steps }: Pick<SmokeReport, 'steps'>): 0 | 1 =>
  steps.every(({ state }) => state !== 'failed') && steps.some(({ state }) => state === 'done') ? 0 : 1;

const words = { proven: 'proven', notProven: 'NOT PROVEN', failed: 'FAILED', notRun: 'not run' };
const styles = { proven: 'green', notProven: 'yellow', failed: 'red', notRun: 'dim' } as const;
type Kind = keyof typeof words;

const wordWidth = Math.max(...Object.values(words).map((word) => word.length));
const indent = 2 + wordWidth + 2;

/** Formats the report: a part for each step, a line for each thing that was proven or was not. */
export function reportText(report: SmokeReport, paper: Paper): string {
  const { steps, leftBehind, seconds } = report;
  const parts = steps.map((step) => stepText(step, paper));
  const count = (kind: 'proven' | 'notProven') => steps.reduce((sum, step) => sum + step[kind].length, 0);
  const failed = steps.filter(({ state }) => state === 'failed').length;
  const counted = [
    `${count('proven')} proven`,
    `${count('notProven')} NOT PROVEN`,
    ...(failed > 0 ? [`${failed} FAILED`] : []),
  ].join(', ');
  const left =
    leftBehind.length > 0 ? [['left behind', ...leftBehind.map((one) => `  ${one}`)].join('\n')] : [];
  const head = `${report.place}, stack ${report.stackName}`;
  return [head, ...parts, ...left, `${counted}, in ${duration(seconds)}`].join('\n\n');
}

const duration = (seconds: number): string =>
  seconds < 100 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} minutes`;

function stepText(report: StepReport, paper: Paper): string {
  const { step, state, seconds, proven, notProven, failure } = report;
  const lines: [Kind, string][] = [
    ...proven.map((what): [Kind, string] => ['proven', what]),
    ...notProven.map(({ what, why }): [Kind, string] => ['notProven', `${what}: ${why}`]),
    ...(failure === undefined ? [] : [['failed', failure] as [Kind, string]]),
    ...(state === 'not run' ? [['notRun', 'what came before it failed'] as [Kind, string]] : []),
  ];
  const head = state === 'not run' ? step : `${step}, ${duration(seconds)}`;
  return [head, ...lines.map(([kind, text]) => lineText(kind, text, paper))].join('\n');
}

function lineText(kind: Kind, text: string, { isColored, columns }: Paper): string {
  const word = words[kind].padEnd(wordWidth);
  const shown = isColored ? styleText(styles[kind], word, { validateStream: false }) : word;
  const oneLine = text.replaceAll(/\s+/g, ' ');
  const written = columns === undefined ? [oneLine] : wrap(oneLine, columns, indent);
  return `  ${shown}  ${written.join(`\n${' '.repeat(indent)}`)}`;
}
