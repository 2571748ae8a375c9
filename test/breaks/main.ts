import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readOptionValues, wholeNumber } from '../../local/terminal/option-values.ts';
import { describeFailure } from '../../local/terminal/plain-error.ts';
import { type Break, breaks } from './breaks.ts';
import { type Result, Trial } from './trial.ts';

const help = `npm run faults:break -- [--row N]: takes out of the code, one at a time, the guards of test/breaks/breaks.ts, and sees
whether the test that each names fails. Prints a line for each;
.local/breaks.json has all. Works on a copy.
All take about half an hour on 2 cores.

  --row N   only the breaks of that row of docs/faults.md
  --help    this text

The exit status is 0 only if every break was noticed.`;

const checkout = fileURLToPath(new URL('../..', import.meta.url));

function lineOf({ row, file, wrong }: Break, { verdict, test }: Result): string {
  const outcome = { failed: `noticed by "${test}"`, passed: 'NOT NOTICED', error: 'NO TEST RAN' }[verdict];
  return `row ${row}, ${file}: ${wrong}: ${outcome}`;
}

function tryAll(chosen: readonly Break[]): boolean {
  const trial = new Trial(checkout, `${checkout}/.local/breaks`);
  const results = chosen.map((one) => {
    const result = trial.try(one);
    console.log(lineOf(one, result));
    return { ...one, ...result };
  });
  writeFileSync(`${checkout}/.local/breaks.json`, `${JSON.stringify(results, null, 2)}\n`);
  const noticed = results.filter(({ verdict }) => verdict === 'failed').length;
  console.log(`${noticed} of ${results.length} breaks noticed`);
  return noticed === results.length;
}

/** Runs the command. @returns its exit status */
function main(argv: readonly string[]): number {
  try {
    const options = {
      row: { type: 'string' },
      help: { type: 'boolean', default: false, short: 'h' },
    } as const;
    const values = readOptionValues(argv, options);
    if (values.help) {
      console.log(help);
      return 0;
    }
    const row =
      values.row === undefined
        ? undefined
        : wholeNumber('--row', values.row, 1, Math.max(...breaks.map(({ row }) => row)));
    return tryAll(breaks.filter((one) => row === undefined || one.row === row)) ? 0 : 1;
  } catch (error) {
    console.error(describeFailure(error));
    return 1;
  }
}

process.exitCode = main(process.argv.slice(2));
