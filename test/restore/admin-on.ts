import { execFile } from 'node:child_process';
import { checkout } from '../../local/checkout.ts';
import { stackFilePath } from '../../local/stack/stack-file.ts';

/** Runs the operators' command on the stack of a directory, and reads its one JSON object, an error's too. */
export function runAdminOn(directory: string, ...args: string[]): Promise<Record<string, unknown>> {
  const env = { ...process.env, IMPRIMATUR_STACK_FILE: stackFilePath(directory) };
  const command = [`${checkout}/admin/main.ts`, ...args, '--json'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, { env }, (error, stdout) => {
      // A failure has its object too; without one the command itself is broken.
      if (stdout === '') reject(error ?? new Error('the command printed nothing'));
      else resolve(JSON.parse(stdout));
    });
  });
}
