import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { wholeNumber } from '../../local/terminal/whole-number.ts';
import { type Break, breaks } from './breaks.ts';
import { type Result, Trial } from './trial.ts';

const description = `Takes out of the code, one at a time, the guards of test/breaks/breaks.ts, and sees whether tests fail: those of the row \
that each guards, or of the file that the break names. Prints a line for each; .local/breaks.json has all. Works on a copy. \
All take about half an hour on 2 cores.

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

const lastRow = Math.max(...breaks.map(({ row }) => row));

new Command('npm run faults:break --')
  .description(description)
  .option('--row <n>', 'only the breaks of that row of docs/faults.md', wholeNumber(1, lastRow))
  .action(({ row }: { row?: number }) => {
    process.exitCode = tryAll(breaks.filter((one) => row === undefined || one.row === row)) ? 0 : 1;
  })
  .parse();
