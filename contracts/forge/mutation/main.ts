import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { checkout } from '../../../local/checkout.ts';
import { findForge } from '../find-forge.ts';

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

/** A change of one line that a test should notice. */
interface Mutant {
  readonly file: string;
  /** Number of the line, from 1. */
  readonly line: number;
  readonly original: string;
  readonly mutated: string;
}

type Operator = readonly [pattern: RegExp, replacement: string];

/** Every match of every pattern, one at a time, is a mutant. */
const operators: readonly Operator[] = [
  [/ == /g, ' != '],
  [/ != /g, ' == '],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/ < /g, ' > '],
  [/ > /g, ' < '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \/ 2/g, ' / 1'],
  [/\+\+/g, '--'],
  [/\bif \(.+?\) (?=revert |return )/g, 'if (false) '],
  [/\b0\b(?!x)/g, '1'],
  [/\b1\b/g, '2'],
  [/\b383\b/g, '384'],
  [/\b64\b/g, '63'],
  [/\b96\b/g, '88'],
  [/ >> 8\b/g, ' >> 9'],
  [/ << /g, ' >> '],
  [/ \|= /g, ' = '],
  [/\b160\b/g, '152'],
  [/\b208\b/g, '200'],
  [/\bdays\b/g, 'hours'],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\bmsg\.sender\b/g, 'tx.origin'],
  [/\bblock\.timestamp\b/g, '(block.timestamp - 1)'],
  [/\bblock\.chainid\b/g, '1'],
  [/\baddress\(this\)/g, 'address(0)'],
  [/ only\w+(\(.*\))?(?= \{|$)/g, ''],
  [/^ +(emit |\w+(\.\w+|\[.*\])* \|?= |attestation\.|_\w+\().*;$/g, ''],
  [/(?<!bytes32 |address |uint256 |\.)\bipfsHash\b(?=[,;)])/g, 'bytes32(0)'],
  [/(?<!bytes32 |address |uint256 |\.)\bauthority\b(?=[,)])/g, 'address(1)'],
  [/(?<!bytes32 |address |uint256 |\.)\bnonce\b(?=[,)])/g, '0'],
  [/(?<!bytes32 |address |uint256 |\.)\bdeadline\b(?=[,)])/g, '0'],
];

const isCode = (line: string) =>
  !/^\s*(\/\/|import |pragma |error |event |function \w+\($|mapping)/.test(line);

function mutantsOfLine(file: string, original: string, line: number): Mutant[] {
  if (!isCode(original)) return [];
  return operators.flatMap(([pattern, replacement]) =>
    [...original.matchAll(pattern)].map(({ 0: match, index }) => ({
      file,
      line,
      original,
      mutated: original.slice(0, index) + replacement + original.slice(index + match.length),
    })),
  );
}

/** Makes all mutants of a source, in order. Many do not compile. */
function mutantsOf(file: string, source: string): Mutant[] {
  return source.split('\n').flatMap((original, index) => mutantsOfLine(file, original, index + 1));
}

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
