import { styleText } from 'node:util';
import { printable } from 'imprimatur-terminal/text';
import type { Paper } from '../../deployment/command.ts';
import type { Finding, Section, State } from './finding.ts';

const styles = { ok: 'green', warning: 'yellow', problem: 'red', 'not asked': 'dim' } as const;

/** In the order in which they are counted in the last line. */
const states = Object.keys(styles) as State[];

const stateWidth = Math.max(...states.map((state) => state.length));
const indent = 2 + stateWidth + 2;

/** Formats the report: sections with a line for each finding, then how many there are of each state. */
export function reportText(sections: readonly Section[], paper: Paper): string {
  const shown = sections.filter(({ findings }) => findings.length > 0);
  const parts = shown.map(({ title, findings }) =>
    [title, ...findings.map((finding) => findingText(finding, paper))].join('\n'),
  );
  return [...parts, countText(shown.flatMap(({ findings }) => findings))].join('\n\n');
}

/** Formats how many findings there are of each state. */
export function countText(findings: readonly Finding[]): string {
  return states
    .map((state) => [findings.filter((finding) => finding.state === state).length, state] as const)
    .filter(([count]) => count > 0)
    .map(([count, state]) => `${count} ${count > 1 && /ing$|lem$/.test(state) ? `${state}s` : state}`)
    .join(', ');
}

function findingText({ check, state, says, todo }: Finding, { isColored, columns }: Paper): string {
  const word = state.padEnd(stateWidth);
  const shown = isColored ? styleText(styles[state], word, { validateStream: false }) : word;
  const lines = [`${check}: ${says}`, ...(todo === null ? [] : [todo])].map((line) => oneLine(line));
  const written =
    columns === undefined ? [lines.join(' -> ')] : lines.flatMap((line) => wrap(line, columns, indent));
  return `  ${shown}  ${written.join(`\n${' '.repeat(indent)}`)}`;
}

/** What providers, settings and names bring along must not make lines or colours of its own. */
const oneLine = (text: string): string => printable(text.replaceAll(/\s+/g, ' '));

/** Breaks a line that stands so far in at spaces. A word that is longer than a line stays whole, so that it can be copied. */
export function wrap(text: string, columns: number, indentation: number): string[] {
  const width = Math.max(20, columns - indentation);
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
