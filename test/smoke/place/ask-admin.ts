import { connectAccount } from '../../../admin/account/connect-account.ts';
import { connect } from '../../../admin/deployment/connect.ts';
import { readTarget } from '../../../admin/deployment/target.ts';
import { runAdmin } from '../../../admin/run-admin.ts';
import { demand } from '../demand.ts';

/** Answer of an operators' command. */
export interface AdminAnswer {
  readonly exitCode: number;
  readonly json: Record<string, unknown>;
}

/** Runs an operators' command on the deployment that the options name. */
export async function runAdminHere(
  options: readonly string[],
  argv: readonly string[],
): Promise<AdminAnswer> {
  let written = '';
  const exitCode = await runAdmin([...argv, ...options, '--json'], {
    ...{ readTarget, connect, connectAccount, paper: { isColored: false, columns: undefined } },
    write: (text) => {
      written += text;
    },
    // With --json, what failed is in the answer too.
    writeError: () => undefined,
  });
  return { exitCode, json: JSON.parse(written) };
}

/** Runs an operators' command. @returns what it prints as JSON. @throws SmokeFailedError unless it exits with 0 */
export async function askAdmin(
  options: readonly string[],
  argv: readonly string[],
): Promise<Record<string, unknown>> {
  const { exitCode, json } = await runAdminHere(options, argv);
  demand(exitCode === 0, `admin ${argv.slice(0, 2).join(' ')}: ${json.error ?? `exit code ${exitCode}`}`);
  return json;
}
