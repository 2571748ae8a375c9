import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import { checkout, toolsPath } from '../../local/checkout.ts';
import { demand, type Rehearsal, type Run } from './run.ts';

/** Runs tests with these arguments of `vitest run`. */
const testsRehearsal = (
  name: string,
  prove: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Rehearsal => ({
  name,
  place: `vitest run ${args.join(' ')}`,
  steps: [
    [
      'tests',
      async ({ atEnd, proven }) => {
        const child = spawn(`${toolsPath}/vitest`, ['run', ...args], {
          ...{ cwd: checkout, env: { ...process.env, ...variables } },
          // Standard output is for the report.
          stdio: ['ignore', 2, 2],
        });
        const ended = once(child, 'exit');
        atEnd(() => {
          child.kill('SIGINT');
          return ended;
        });
        const [exitCode] = await ended;
        demand(exitCode === 0, `tests do not pass: vitest ended with ${exitCode}; see above`);
        proven(prove);
      },
    ],
  ],
  leftBehind: () => [],
});

/** Adds the rehearsals that are tests which take long, or need what not every machine has. */
export function addTests(program: Command, run: Run): void {
  program
    .command('access')
    .description(
      "Remove each grant of the functions' roles once, and check that a test fails, 30 minutes or more.",
    )
    .argument('[functions...]', 'functions to check, such as Reveal Sweep (default: all)')
    .action((functions: string[]) => {
      const which = functions.join(', ') || 'all functions';
      const prove = `each grant of ${which} is needed, if the test can detect that it is missing`;
      const args = ['--project', 'service', 'test/service/access'];
      return run(testsRehearsal('access', prove, args, { EVERY_GRANT: functions.join(' ') || '1' }));
    });
  program
    .command('evidence')
    .description('Change each byte of four proof files, and check that none is verified.')
    .action(() => {
      const prove = 'no proof file is verified after a change to a byte that proves something';
      return run(testsRehearsal('evidence', prove, ['verify-offline.test.ts'], { EVERY_BYTE: '1' }));
    });
}
