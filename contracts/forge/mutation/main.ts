import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { wholeNumber } from '../../../local/terminal/whole-number.ts';
import { type Mutant, mutantsOf, spread } from './mutants.ts';
import { Trial } from './trial.ts';

const description = `Changes one line of the contracts at a time and sees whether a test fails. Prints the changes that none noticed \
(contracts/mutation.md explains those that remain); .local/mutation.json has all. Exit 1 when the unchanged contracts do \
not pass.`;

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

const files = [
  'AttestationRegistry.sol',
  'DelegationSignatures.sol',
  'Leaves.sol',
  'Origin.sol',
  'Pages.sol',
  'SaltedHash.sol',
  'DelegateForwarder.sol',
];

const shown = ({ file, line, original, mutated }: Mutant) =>
  `${file}:${line}\n  - ${original.trim()}\n  + ${mutated.trim()}`;

function tryAll(trial: Trial, mutants: readonly Mutant[]): void {
  const verdicts = mutants.map((mutant, i) => {
    const verdict = trial.try(mutant);
    if (verdict === 'survived') console.log(shown(mutant));
    if ((i + 1) % 20 === 0) console.error(`${i + 1} of ${mutants.length}`);
    return { ...mutant, verdict };
  });
  writeFileSync(`${checkout}/.local/mutation.json`, `${JSON.stringify(verdicts, null, 2)}\n`);
  const count = (wanted: string) => verdicts.filter(({ verdict }) => verdict === wanted).length;
  console.log(`${count('killed')} noticed, ${count('survived')} not, ${count('invalid')} did not compile`);
}

function mutate({ limit }: { limit: number }): void {
  const sources = files.map(
    (file) => [file, readFileSync(`${checkout}/contracts/src/${file}`, 'utf8')] as const,
  );
  const mutants = sources.flatMap(([file, source]) => mutantsOf(file, source));
  const trial = new Trial(checkout, `${checkout}/.local/mutation`);
  if (trial.run() === 'survived') {
    tryAll(trial, spread(mutants, limit));
  } else {
    console.error('the tests do not pass on the unchanged contracts');
    process.exitCode = 1;
  }
}

new Command('npm run contracts:mutate --')
  .description(description)
  .option('--limit <n>', 'number of changes, evenly spread, 40 minutes', wholeNumber(1, 100_000), 200)
  .action(mutate)
  .parse();
