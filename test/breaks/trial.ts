import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceFolders } from '../../tools/source-folders.ts';
import type { Break } from './breaks.ts';

/** What the tests of a break said: `error` when none of them ran to an end. */
export type Verdict = 'passed' | 'failed' | 'error';

export interface Result {
  readonly verdict: Verdict;
  /** The first test that failed. */
  readonly test?: string | undefined;
}

/** Row 33 is the soak itself; so few seeds suffice to notice. */
const soakSeeds = 40;

const copied = [
  ...sourceFolders,
  'statemachine',
  'test',
  // The stack is synthesised with them.
  ...['cdk.json', 'package-lock.json'],
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];

/** A copy of the checkout, in which one guard at a time is taken out. */
export class Trial {
  readonly #root: string;

  constructor(checkout: string, root: string) {
    this.#root = root;
    rmSync(root, { recursive: true, force: true });
    for (const path of copied) cpSync(join(checkout, path), join(root, path), { recursive: true });
    symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'));
  }

  /** Runs the tests of a break on the code as it is in the copy now. */
  run({ testFile }: Pick<Break, 'testFile'>): Result {
    return testFile === undefined ? this.#soak() : this.#test(testFile);
  }

  /** Breaks the code, runs the tests, mends it. */
  try(one: Break): Result {
    const { file, guard, instead } = one;
    const path = join(this.#root, file);
    const source = readFileSync(path, 'utf8');
    // Not as a pattern: a "$" stands for itself.
    writeFileSync(
      path,
      source.replace(guard, () => instead),
    );
    try {
      return this.run(one);
    } finally {
      writeFileSync(path, source);
    }
  }

  #test(file: string): Result {
    const report = join(this.#root, '.local/break.json');
    rmSync(report, { force: true });
    const reporters = ['--reporter=json', `--outputFile.json=${report}`];
    this.#spawn('vitest', 'run', file, '--bail=1', ...reporters);
    return resultOf(report);
  }

  #soak(): Result {
    const { stdout } = this.#spawn('node', 'test/soak/main.ts', '--seeds', String(soakSeeds), '--json');
    try {
      const { failed } = JSON.parse(stdout) as { failed: { seed: number }[] };
      const [first] = failed;
      return first ? { verdict: 'failed', test: `seed ${first.seed}` } : { verdict: 'passed' };
    } catch {
      return { verdict: 'error' };
    }
  }

  #spawn(command: string, ...args: readonly string[]) {
    return spawnSync(command, args, { cwd: this.#root, encoding: 'utf8', timeout: 900_000 });
  }
}

interface VitestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

function resultOf(report: string): Result {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as VitestReport;
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const failed = tests.find(({ status }) => status === 'failed');
    if (failed) return { verdict: 'failed', test: failed.title };
    return { verdict: tests.some(({ status }) => status === 'passed') ? 'passed' : 'error' };
  } catch {
    return { verdict: 'error' };
  }
}
