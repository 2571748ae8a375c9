import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const main = fileURLToPath(new URL('../../admin/main.ts', import.meta.url));

it('ends quietly when nobody reads what it prints', async () => {
  const child = spawn(process.execPath, [main, '--help']);
  child.stdout.destroy();
  const [error, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ error, exitCode }).toEqual({ error: '', exitCode: 0 });
});
