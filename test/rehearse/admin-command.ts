import { execFile } from 'node:child_process';
import { assert } from './conditions.ts';
import type { Target } from './target.ts';

export interface AdminResult {
  readonly exitCode: number;
  readonly json: Record<string, unknown>;
}

/** Runs an operators' command of the deployed version. */
export function tryAdminCommand(
  { repository, adminOptions }: Target,
  argv: readonly string[],
): Promise<AdminResult> {
  const command = [`${repository}/admin/main.ts`, ...argv, ...adminOptions, '--json'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, { cwd: repository }, (error, stdout) => {
      // A failed command prints an object too. If it prints nothing, the command is broken.
      if (stdout === '') reject(error ?? new Error('the command printed nothing'));
      else resolve({ exitCode: Number(error?.code ?? 0), json: JSON.parse(stdout) });
    });
  });
}

/** Runs an operators' command. @returns its JSON. @throws PlainError unless it exits with 0 */
export async function runAdminCommand(target: Target, ...argv: string[]): Promise<Record<string, unknown>> {
  const { exitCode, json } = await tryAdminCommand(target, argv);
  assert(exitCode === 0, `admin ${argv.slice(0, 2).join(' ')}: ${json.error ?? `exit code ${exitCode}`}`);
  return json;
}
