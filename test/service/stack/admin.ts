import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { stack } from './running-stack.ts';

/** Runs the operators' command as an operator would, and reads its one JSON object. */
export async function admin(...args: string[]): Promise<Record<string, unknown>> {
  const env = { ...process.env, IMPRIMATUR_STACK_FILE: `${stack.directory}/stack.json` };
  const { stdout } = await promisify(execFile)('node', ['admin/main.ts', ...args, '--json'], { env });
  return JSON.parse(stdout);
}
