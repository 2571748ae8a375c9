import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { checkout } from '../../../local/checkout.ts';

test('ends at Ctrl-C with 130, whatever it is at', async () => {
  const rehearsal = spawn(process.execPath, ['local/launch.js', 'upgrade'], { cwd: checkout });
  await once(rehearsal.stdout, 'data');
  rehearsal.kill('SIGINT');
  expect(await once(rehearsal, 'exit')).toEqual([130, null]);
});
