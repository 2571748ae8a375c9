import { styleText } from 'node:util';

export interface StepReport {
  readonly step: string;
  readonly state: 'done' | 'failed' | 'not run';
  readonly seconds: number;
  readonly proven: readonly string[];
  readonly notProven: readonly { readonly fact: string; readonly reason: string }[];
  readonly failure?: string;
}

export interface Report {
  readonly rehearsal: string;
  readonly target: string;
  readonly seconds: number;
  readonly steps: readonly StepReport[];
  /** Resources that remain in the account or on this machine, and the command that removes them. */
  readonly leftBehind: readonly string[];
}

/** 0 if no step failed and at least one ran, otherwise 1. */
export const exitCodeOf = ({ steps }: Pick<Report, 'steps'>): 0 | 1 =>
  steps.every(({ state }) => state !== 'failed') && steps.some(({ state }) => state === 'done') ? 0 : 1;

/** Formats the report: a part for each step, a line for each fact that was proven or was not. */
export function reportText({ rehearsal, target, steps, leftBehind, seconds }: Report): string {
  const count = (kind: 'proven' | 'notProven') => steps.reduce((sum, step) => sum + step[kind].length, 0);
  const failed = steps.filter(({ state }) => state === 'failed').length;
  const counted = [
    `${count('proven')} proven`,
    `${count('notProven')} NOT PROVEN`,
    ...(failed > 0 ? [`${failed} FAILED`] : []),
  ].join(', ');
  const left = leftBehind.length > 0 ? [['left behind', ...leftBehind].join('\n  ')] : [];
  const head = `${rehearsal}: ${target}`;
  return [head, ...steps.map(stepText), ...left, `${counted}, in ${duration(seconds)}`].join('\n\n');
}

const duration = (seconds: number): string =>
  seconds < 100 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} minutes`;

function stepText({ step, state, seconds, proven, notProven, failure }: StepReport): string {
  if (state === 'not run') return [step, line('dim', 'not run', 'an earlier step failed')].join('\n');
  return [
    `${step}, ${duration(seconds)}`,
    ...proven.map((fact) => line('green', 'proven', fact)),
    ...notProven.map(({ fact, reason }) => line('yellow', 'NOT PROVEN', `${fact}: ${reason}`)),
    ...(failure === undefined ? [] : [line('red', 'FAILED', failure)]),
  ].join('\n');
}

const line = (style: 'green' | 'yellow' | 'red' | 'dim', word: string, text: string): string =>
  `  ${styleText(style, word.padEnd('NOT PROVEN'.length))}  ${text.replaceAll(/\s+/g, ' ')}`;
