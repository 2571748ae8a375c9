import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { checkout, toolsPath } from '../../local/checkout.ts';
import { demand, type Rehearsal } from './run.ts';

/** Tests that take too long for `npm test`, or need what not every machine has. */
interface LongTests {
  readonly name: string;
  /** What they prove. */
  readonly prove: string;
  /** Arguments of `vitest run`. */
  readonly args: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

export const testsRehearsal = ({ name, prove, args, variables }: LongTests): Rehearsal => ({
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
