import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { checkout } from '../../../local/checkout.ts';
import { findForge } from '../find-forge.ts';
import { type Mutant, mutantsOf } from './mutants.ts';

// Changes one line of the contracts at a time, in a copy, and prints the changes that no test notices:
// contracts/mutation.md explains those that remain. Arguments are the contracts to change; without any, all are.

const copy = `${checkout}/.local/contract-mutants`;

const files = [
  'AttestationRegistry.sol',
  'DelegationSignatures.sol',
  'Leaves.sol',
  'Origin.sol',
  'Pages.sol',
  'SaltedHash.sol',
  'DelegateForwarder.sol',
];

type Verdict = 'noticed' | 'not noticed' | 'did not compile';

function makeCopy(): void {
  rmSync(copy, { recursive: true, force: true });
  for (const path of ['contracts/src', 'contracts/test', 'contracts/compile/solc.cjs', 'foundry.toml'])
    cpSync(`${checkout}/${path}`, `${copy}/${path}`, { recursive: true });
  symlinkSync(`${checkout}/node_modules`, `${copy}/node_modules`);
}

function test(): Verdict {
  const env = { ...process.env, FOUNDRY_PROFILE: 'mutation' };
  const options = { env, cwd: copy, encoding: 'utf8', timeout: 300_000 } as const;
  const { status, stdout } = spawnSync(findForge(), ['test', '--fail-fast', '-j', '1'], options);
  // Counterexamples of one mutant, which forge keeps, would be tried on the next.
  rmSync(`${copy}/.local`, { recursive: true, force: true });
  if (status === 0) return 'not noticed';
  return stdout.includes('[FAIL') ? 'noticed' : 'did not compile';
}

function tryMutant({ file, line, original, mutated }: Mutant): Verdict {
  const path = `${copy}/contracts/src/${file}`;
  const source = readFileSync(path, 'utf8');
  const lines = source.split('\n').with(line - 1, mutated);
  writeFileSync(path, lines.join('\n'));
  const verdict = test();
  writeFileSync(path, source);
  if (verdict === 'not noticed')
    console.log(`${file}:${line}\n  - ${original.trim()}\n  + ${mutated.trim()}`);
  return verdict;
}

const chosen = process.argv.length > 2 ? process.argv.slice(2) : files;
makeCopy();
if (test() !== 'not noticed') throw new Error('the tests do not pass on the unchanged contracts');
for (const file of chosen) {
  const mutants = mutantsOf(file, readFileSync(`${copy}/contracts/src/${file}`, 'utf8'));
  const counts: Record<Verdict, number> = { noticed: 0, 'not noticed': 0, 'did not compile': 0 };
  for (const mutant of mutants) counts[tryMutant(mutant)] += 1;
  console.log(file, counts);
}
