import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { Command, Option } from 'commander';
import { wholeNumber } from 'imprimatur-terminal/whole-number';
import { localStackNeeds } from '../../local/emulator/localstack.ts';
import { missingPrograms } from '../../local/emulator/prerequisites.ts';
import { mainPaths, sections } from './main-paths.ts';
import type { RunResults } from './progress-reporter.ts';
import { sourceFolders } from './source-folders.ts';

/**
 * The native compiler takes a third of the time. Other tools need the API of the `typescript` package. On two cores,
 * the native compiler takes 1.5 times as long with its default of four checkers.
 */
const tsc = ['node', 'node_modules/typescript-native/bin/tsc', '--checkers', '2'] as const;

/** Static checks, fastest first. Each counts as one test. */
const checks: readonly [name: string, ...command: string[]][] = [
  ['lint and format', 'biome', 'check', '.'],
  ['types', ...tsc, '-p', '.'],
  ['types of the client', ...tsc, '-p', 'packages/client'],
  ['types of the verifier', ...tsc, '-p', 'packages/verifier'],
  ['types of the pages', ...tsc, '-p', 'packages/pages'],
  ['import rules', 'depcruise', '--config', '.dependency-cruiser.cjs', ...sourceFolders, 'test'],
  ['words, sentences and links', 'node', 'tools/check-prose.ts'],
  ['unused code and dependencies', 'knip'],
  ['compiled contracts are current', 'node', 'contracts/compile/compile.ts', '--check'],
  ['API document is current', 'node', 'tools/write-openapi.ts', '--check'],
  ['API document has no warnings', 'redocly', 'lint'],
];

const onFakes = ['unit', 'isolated'] as const;
const onRealPrograms = ['programs', 'chain', 'faults'] as const;
const projects = [...onFakes, ...onRealPrograms, 'service', 'clients', 'localstack'] as const;

/** The part of `localstack` that `npm run test:all` runs: an attestation and a link, invocations, the deployment. */
const onLocalStack = [...sections('1'), 'test/service/localstack'];

/** Compiled code that all processes share. A command spends a third of its start on compiling. */
process.env.NODE_COMPILE_CACHE ??= `${process.cwd()}/.local/compile-cache`;

const noResults: RunResults = { passed: 0, skipped: 0, failed: [], files: [] };

function sum(results: readonly RunResults[]): RunResults {
  return {
    passed: results.reduce((total, { passed }) => total + passed, 0),
    skipped: results.reduce((total, { skipped }) => total + skipped, 0),
    failed: results.flatMap(({ failed }) => failed),
    files: results.flatMap(({ files }) => files),
  };
}

const running = new Set<ChildProcess>();
let interrupted = false;

/** Runs a command. @returns the exit code, 1 if the command could not start or a signal ended it, and what it printed if `capture` is set */
async function run(
  [command = '', ...args]: readonly string[],
  { capture = false, env = process.env } = {},
): Promise<{ readonly code: number; readonly output: string }> {
  if (interrupted) return { code: 1, output: '' };
  const child = spawn(command, args, { env, stdio: ['ignore', capture ? 'pipe' : 'inherit', 'inherit'] });
  running.add(child);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const code = await new Promise<number>((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', (exitCode) => resolve(exitCode ?? 1));
  });
  running.delete(child);
  return { code, output };
}

async function runChecks(): Promise<RunResults> {
  let passed = 0;
  const failed: string[] = [];
  for (const [name, ...command] of checks) {
    console.log(`── ${name}`);
    const { code } = await run(command);
    if (code === 0) passed += 1;
    else failed.push(name);
  }
  return { ...noResults, passed, failed };
}

/** Runs the contracts' tests with forge, which ends with "Ran 11 test suites …: 112 tests passed, 0 failed, 0 skipped". */
async function runContracts(): Promise<RunResults> {
  console.log('── contracts, with forge');
  const { code, output } = await run(['node', 'contracts/forge/test.ts'], { capture: true });
  const [line, count] = /^Ran .*: (\d+) tests passed.*$/m.exec(output) ?? [];
  const succeeded = code === 0 && count !== undefined;
  console.log(succeeded ? line : output);
  return { ...noResults, passed: Number(count ?? 0), failed: succeeded ? [] : ['contracts, with forge'] };
}

/** Runs projects of Vitest, or only some files of them. */
async function runTests(names: readonly string[], files: readonly string[] = []): Promise<RunResults> {
  const name = names.join(' and ');
  const path = `.local/test-results/${names.join('-')}.json`;
  rmSync(path, { force: true });
  console.log(`── tests: ${name}`);
  const command = ['vitest', 'run', '--reporter=./test/run/progress-reporter.ts', ...files];
  for (const project of names) command.push('--project', project);
  const { code } = await run(command, { env: { ...process.env, TEST_RESULTS: path } });
  try {
    const results: RunResults = JSON.parse(readFileSync(path, 'utf8'));
    const unexplained = code !== 0 && results.failed.length === 0;
    return unexplained ? { ...results, failed: [`${name}: vitest ended with exit code ${code}`] } : results;
  } catch {
    return { ...noResults, failed: [`${name}: vitest ended with exit code ${code} and no results`] };
  }
}

interface Options {
  readonly all?: true;
  readonly only?: string;
  readonly repeat: number;
  readonly load: number;
}

async function runOnLocalStack(files: readonly string[]): Promise<RunResults> {
  const missing = missingPrograms({ ...localStackNeeds, chain: true });
  if (missing === undefined) return runTests(['localstack'], files);
  console.log(`SKIPPED: tests on LocalStack (${missing})`);
  return { ...noResults, skipped: 1 };
}

/** Runs one round. Tests on the stack often wait for blocks, so the others run beside them. */
async function runRound({ all, only }: Options): Promise<RunResults> {
  if (only === 'checks') return runChecks();
  if (only === 'contracts') return runContracts();
  if (only === 'localstack') return runOnLocalStack([]);
  if (only !== undefined) return runTests([only]);
  const inTurn = async (steps: readonly (() => Promise<RunResults>)[]) => {
    const results: RunResults[] = [];
    for (const step of steps) results.push(await step());
    return sum(results);
  };
  const withoutStack = [() => runTests(onFakes), ...(all ? [() => runTests(onRealPrograms)] : [])];
  const onStack = all
    ? [() => runTests(['service']), () => runTests(['clients']), () => runOnLocalStack(onLocalStack)]
    : [() => runTests(['service'], mainPaths)];
  return sum(await Promise.all([withoutStack, onStack, [runChecks, runContracts]].map(inTurn)));
}

function printSlowest({ files }: RunResults): void {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
  if (slowest.length > 0) console.log('\nSlowest files:');
  for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
}

function printFailed(failed: readonly string[], rounds: number): void {
  if (failed.length > 0) console.log('\nFailed:');
  for (const title of new Set(failed)) {
    const times = failed.filter((one) => one === title).length;
    console.log(rounds === 1 ? `  ${title}` : `  ${title} (${times} of ${rounds} runs)`);
  }
}

async function main(options: Options): Promise<void> {
  // npm sends the terminal's signal a second time.
  const stop = () => {
    if (!interrupted) for (const child of running) child.kill('SIGINT');
    interrupted = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  const load = Array.from({ length: options.load }, () => spawn('node', ['-e', 'for (;;);']));
  const results: RunResults[] = [];
  try {
    mkdirSync('.local/test-results', { recursive: true });
    for (let round = 1; round <= options.repeat && !interrupted; round++) {
      if (options.repeat > 1) console.log(`\n── run ${round} of ${options.repeat}`);
      const result = await runRound(options);
      if (interrupted) console.log(`\nInterrupted in run ${round}, which does not count.`);
      else results.push(result);
    }
  } finally {
    for (const child of load) child.kill();
  }
  const total = sum(results);
  printSlowest(results.at(-1) ?? noResults);
  printFailed(total.failed, results.length);
  const succeeded = total.failed.length === 0 && total.passed > 0;
  const isComplete = total.skipped === 0 || !process.env.CI;
  if (!isComplete) console.log('\nIn CI (variable CI), a skipped test is a failure: install what it needs.');
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  console.log(`\n${total.passed} passed, ${total.failed.length} failed${skipped}`);
  if (interrupted) process.exitCode = 130;
  else process.exitCode = succeeded && isComplete ? 0 : 1;
}

await new Command('npm test')
  .description(
    'Runs the tests and ends with "N passed, N failed". The exit code is 0 if nothing failed and, if the variable CI is set, nothing was skipped; 1 otherwise, and 130 after Ctrl-C.\n' +
      '`npm test` runs the static checks, the contracts’ tests, all tests on fakes and the main paths of the API on a local stack.\n' +
      '`npm run test:all` also runs the tests of built and installed programs, the tests on a real chain and in a browser, the faults, and the complete conformance tests.',
  )
  .option('--all', 'run everything, as npm run test:all does')
  .addOption(new Option('--only <part>', 'run one part').choices(['checks', 'contracts', ...projects]))
  .option(
    '--repeat <count>',
    'run the tests this many times and list every test that failed at least once',
    wholeNumber(1, 999),
    1,
  )
  .option('--load <count>', 'keep this many processes busy meanwhile', wholeNumber(0, 999), 0)
  .addHelpText('after', '\nExamples:\n  npm test -- --only unit\n  npm run test:all -- --repeat 5 --load 2')
  .action(main)
  .parseAsync();
