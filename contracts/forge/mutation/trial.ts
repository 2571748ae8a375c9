import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findForge } from '../find-forge.ts';
import type { Mutant } from './mutants.ts';

/**
 * Result for a mutant: `killed` when a test fails on it, `survived` when none does, `invalid` when it does not compile.
 */
export type Verdict = 'killed' | 'survived' | 'invalid';

/** A copy of the contracts and their tests, in which one line at a time is changed. */
export class Trial {
  readonly #root: string;
  constructor(checkout: string, root: string) {
    this.#root = root;
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root, { recursive: true });
    for (const path of ['contracts/src', 'contracts/test', 'contracts/compile/solc.cjs', 'foundry.toml'])
      cpSync(join(checkout, path), join(root, path), { recursive: true });
    symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'));
  }

  /** Runs the tests on the contracts as they are in the copy now. */
  run(): Verdict {
    const env = { ...process.env, FOUNDRY_PROFILE: 'mutation' };
    // forge keeps counterexamples by the working directory. In the copy they are removed, so that no mutant leaves its
    // own to the next.
    const options = { env, cwd: this.#root, encoding: 'utf8', timeout: 300_000 } as const;
    const { status, stdout } = spawnSync(findForge(), ['test', '--fail-fast', '-j', '1'], options);
    rmSync(join(this.#root, '.local'), { recursive: true, force: true });
    if (status === 0) return 'survived';
    return stdout.includes('[FAIL') ? 'killed' : 'invalid';
  }

  /** Tests one mutant and undoes it. */
  try({ file, line, mutated }: Mutant): Verdict {
    const path = join(this.#root, 'contracts/src', file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      source
        .split('\n')
        .with(line - 1, mutated)
        .join('\n'),
    );
    try {
      return this.run();
    } finally {
      writeFileSync(path, source);
    }
  }
}
