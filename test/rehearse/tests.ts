import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import { checkout, toolsPath } from '../../local/checkout.ts';
import { demand, type Rehearsal, type Run } from './run.ts';

/** Tests that take too long for `npm test`, or need what not every machine has. */
interface LongTests {
  readonly name: string;
  /** What they prove. */
  readonly prove: string;
  /** Arguments of `vitest run`. */
  readonly args: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

const testsRehearsal = ({ name, prove, args, variables }: LongTests): Rehearsal => ({
  name,
  place: `vitest run ${args.join(' ')}`,
  steps: [
    [
      'tests',
      async ({ atEnd, proven }) => {
        const env = { ...process.env, ...variables };
        const child = spawn(`${toolsPath}/vitest`, ['run', ...args], {
          ...{ cwd: checkout, env },
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
    .description("every grant of functions' roles is taken away once; half an hour and more")
    .argument('[functions...]', 'these functions alone, such as Reveal Sweep')
    .action((functions: string[]) => {
      const which = functions.join(', ') || 'all functions';
      const prove = `of the grants of ${which} each is needed whose lack the test can see`;
      const args = ['--project', 'service', 'test/service/access'];
      const EVERY_GRANT = functions.join(' ') || '1';
      return run(testsRehearsal({ name: 'access', prove, args, variables: { EVERY_GRANT } }));
    });
  program
    .command('evidence')
    .description('every byte of four proof files is changed once, and none is verified')
    .action(() => {
      const prove = 'no proof file is verified of which any byte that proves something is changed';
      const args = ['verify-offline.test.ts'];
      return run(testsRehearsal({ name: 'evidence', prove, args, variables: { EVERY_BYTE: '1' } }));
    });
  program
    .command('dynamodb')
    .description("the store and the faults, on AWS's own DynamoDB Local; needs Maven and Java 17")
    .action(() => {
      const prove = "the store and all faults hold on AWS's own DynamoDB Local";
      const args = ['--config', 'test/rehearse/dynamodb/vitest.config.ts'];
      return run(testsRehearsal({ name: 'dynamodb', prove, args }));
    });
}
