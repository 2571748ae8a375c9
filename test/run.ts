import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sourceFolders } from '../tools/source-folders.ts';

/** TypeScript 7, in a third of the time; the `typescript` that other tools call is the last with an interface for them. */
const tsc = ['node', 'node_modules/typescript-native/bin/tsc'] as const;

/** The static checks, in the order in which they are cheap. Each counts as one test. */
const checks: readonly [name: string, ...command: string[]][] = [
  ['types', ...tsc, '-p', '.'],
  ['types of the client', ...tsc, '-p', 'packages/client'],
  ['types of the verifier', ...tsc, '-p', 'packages/verifier'],
  ['types of the pages', ...tsc, '-p', 'packages/pages'],
  ['lint and format', 'biome', 'check', '.'],
  ['import rules', 'depcruise', '--config', '.dependency-cruiser.cjs', ...sourceFolders, 'test'],
  ['unused code and dependencies', 'knip'],
  ['compiled contracts are current', 'node', 'contracts/compile/compile.ts', '--check'],
  ['API document is current', 'node', 'tools/write-openapi.ts', '--check'],
  ['API document has no warnings', 'redocly', 'lint'],
  ['dependencies have no grave vulnerability known', 'node', 'tools/audit-dependencies.ts'],
];

const projects = ['domain', 'unit', 'chain', 'faults', 'service'];

/** Projects that run one after another beside `service`, which mostly waits for blocks and delays. */
const besideService = ['domain', 'unit', 'chain', 'faults'];

/** Compiled code that all these processes share: a third of what it takes to start one of the commands is compiling. */
process.env.NODE_COMPILE_CACHE ??= `${process.cwd()}/.local/compile-cache`;

const help = `npm test [-- --only ${['checks', 'contracts', ...projects].join('|')}]

Runs everything: static checks, the contracts' tests with forge, then tests on fakes, tests on a real anvil, the faults that
the service survives, on anvil and the emulator, and tests of the whole service on both. Ends with a line "N passed, N failed"; exit 0 only if nothing failed.`;

/** @returns its exit code; 1 if it could not be started or was stopped. */
function run(command: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

interface Count {
  passed: number;
  failed: number;
  /** Checks that could not be made, by name: said before the last line, since they hold nothing up. */
  readonly notMade: string[];
}

/** Exit code of a check that could not be made here, such as a question that this machine's registry does not answer. */
const couldNotBeMade = 3;

async function runChecks(count: Count): Promise<void> {
  for (const [name, command, ...args] of checks) {
    console.log(`\n── ${name}`);
    const code = await run(command ?? '', args);
    if (code === couldNotBeMade) count.notMade.push(name);
    else count[code === 0 ? 'passed' : 'failed'] += 1;
    if (code !== 0) console.log(`${code === couldNotBeMade ? 'NOT CHECKED' : 'FAILED'}: ${name}`);
  }
}

interface Output {
  readonly succeeded: boolean;
  readonly text: string;
}

/** What it printed, once it has ended: beside it something else may print. */
function outputOf(command: string, args: readonly string[]): Promise<Output> {
  return new Promise((resolve) => {
    execFile(command, args, { maxBuffer: Number.POSITIVE_INFINITY }, (error, stdout, stderr) =>
      resolve({ succeeded: error === null, text: `${stdout}${stderr}` }),
    );
  });
}

/** forge's last line but one says how many: "Ran 11 test suites …: 112 tests passed, 0 failed, 0 skipped". */
function countContracts({ succeeded, text }: Output, count: Count): void {
  console.log(`\n── contracts, with forge\n${text}`);
  const [, passed, failed] = /: (\d+) tests passed, (\d+) failed/.exec(text)?.map(Number) ?? [];
  count.passed += passed ?? 0;
  // A run that failed without a failed test (the sources do not compile, say) is a failure all the same.
  count.failed += failed || (succeeded && passed ? 0 : 1);
}

const reportOf = (project: string) => `.local/test/${project}-results.json`;

/** Arguments that run a project's tests. A report of an earlier run is removed. */
function projectArguments(project: string): string[] {
  const report = reportOf(project);
  rmSync(report, { force: true });
  return [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
}

function countProject(project: string, succeeded: boolean, count: Count): void {
  const { passed, failed } = countOf(reportOf(project));
  count.passed += passed;
  // A run that failed without a failed test (an import, a setup, no tests at all) is a failure all the same.
  count.failed += failed === 0 && (!succeeded || passed === 0) ? 1 : failed;
}

async function runProject(project: string, count: Count): Promise<void> {
  console.log(`\n── ${project} tests`);
  countProject(project, (await run('vitest', projectArguments(project))) === 0, count);
}

/** Runs `service` with what may run beside it; its output follows theirs. */
async function runBesideService(count: Count): Promise<void> {
  console.log('\n── service tests run meanwhile; what they say follows');
  const service = outputOf('vitest', projectArguments('service'));
  for (const project of besideService) await runProject(project, count);
  const { succeeded, text } = await service;
  console.log(`\n── service tests\n${text}`);
  countProject('service', succeeded, count);
}

function countOf(report: string): Pick<Count, 'passed' | 'failed'> {
  try {
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(report, 'utf8'));
    return { passed, failed };
  } catch {
    return { passed: 0, failed: 0 };
  }
}

const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help) {
  console.log(help);
} else {
  const count: Count = { passed: 0, failed: 0, notMade: [] };
  const wanted = (name: string) => values.only === undefined || values.only === name;
  mkdirSync('.local/test', { recursive: true });
  // forge compiles and tests on one core, and so does most of what checks: each has one of two.
  const contracts = wanted('contracts') && outputOf('node', ['contracts/forge/test.ts']);
  if (wanted('checks')) await runChecks(count);
  if (contracts) countContracts(await contracts, count);
  if (values.only === undefined) {
    await runBesideService(count);
  } else {
    for (const project of projects.filter(wanted)) await runProject(project, count);
  }
  for (const name of count.notMade) console.log(`\nNOT CHECKED on this machine: ${name}`);
  console.log(`\n${count.passed} passed, ${count.failed} failed`);
  process.exitCode = count.failed === 0 && count.passed > 0 ? 0 : 1;
}
