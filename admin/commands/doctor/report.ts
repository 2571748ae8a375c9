import { styleText } from 'node:util';
import { printable } from 'imprimatur-terminal/text';
import { retryName } from '../../../functions/adapters/aws/client.ts';
import { AnswerTimeoutError, withTimeout } from '../../../functions/adapters/chain/transport.ts';
import { ExpectedError, ThrottledError } from '../../../functions/domain/errors.ts';
import type { Account } from '../../account/connect-account.ts';
import { noCredentials, operatorErrorLine } from '../../error-line.ts';

const styles = { ok: 'green', warning: 'yellow', problem: 'red', 'not checked': 'dim' } as const;

type State = keyof typeof styles;

const states = Object.keys(styles) as State[];

/** Result of a check, which is one line for the operator. */
export interface Outcome {
  readonly state: State;
  /** The result, or why the check was not made. */
  readonly message: string;
  readonly todo: string | null;
  /** Set if the check got no answer, for example without a permission. */
  readonly failed?: true;
}

export interface Finding extends Outcome {
  readonly check: string;
}

export interface Section {
  readonly title: string;
  readonly chainId?: number;
  readonly findings: readonly Finding[];
}

export const ok = (message: string): Outcome => ({ state: 'ok', message, todo: null });

/** The service works in spite of this finding. */
export const warning = (message: string, todo: string): Outcome => ({ state: 'warning', message, todo });

/** Because of this finding, the service does not work or cannot be deployed. */
export const problem = (message: string, todo: string): Outcome => ({ state: 'problem', message, todo });

/** A check that does not apply here or yet. */
export const notChecked = (message: string, todo: string | null = null): Outcome => ({
  ...{ state: 'not checked', message, todo },
});

export const unanswered = (message: string, todo: string): Outcome => ({
  ...{ state: 'not checked', message, todo, failed: true },
});

/** Exit code for pipelines: 1 with a problem, 2 if a check got no answer, otherwise 0. */
export function exitCodeOf(sections: readonly Section[]): 0 | 1 | 2 {
  const findings = sections.flatMap((section) => section.findings);
  if (findings.some(({ state }) => state === 'problem')) return 1;
  return findings.some(({ failed }) => failed) ? 2 : 0;
}

const stateWidth = Math.max(...states.map((state) => state.length));

export function reportText(sections: readonly Section[], isColored: boolean): string {
  const shown = sections.filter(({ findings }) => findings.length > 0);
  const parts = shown.map(({ title, findings }) =>
    [title, ...findings.map((finding) => findingText(finding, isColored))].join('\n'),
  );
  return [...parts, countText(shown)].join('\n\n');
}

export function countText(sections: readonly Section[]): string {
  const findings = sections.flatMap((section) => section.findings);
  return states
    .map((state) => [findings.filter((finding) => finding.state === state).length, state] as const)
    .filter(([count]) => count > 0)
    .map(([count, state]) => `${count} ${count > 1 && /ing$|lem$/.test(state) ? `${state}s` : state}`)
    .join(', ');
}

function findingText({ check, state, message, todo }: Finding, isColored: boolean): string {
  const word = state.padEnd(stateWidth);
  const shown = isColored ? styleText(styles[state], word, { validateStream: false }) : word;
  return `  ${shown}  ${oneLine(`${check}: ${message}${todo === null ? '' : ` -> ${todo}`}`)}`;
}

/** Texts of providers and settings must not add lines or colors. */
const oneLine = (text: string): string => printable(text.replaceAll(/\s+/g, ' '));

/** Time limit of one check, including retries of the SDK. */
const limitMilliseconds = 60_000;

const deniedNames = /AccessDenied|NotAuthorized|UnauthorizedOperation|UnrecognizedClient|Forbidden/;

/** Error names of emulators for unsupported actions. */
const missingNames =
  /UnknownOperation|InvalidAction|NotImplemented|not yet been emulated|UnknownError|UnsupportedOperation|SyntaxError/;

/** Outcomes of a check; each may have its own name. */
type Outcomes = Outcome | readonly (Outcome & Partial<Finding>)[];

/** Runs a check that needs an IAM action. An error becomes a finding. */
export async function checkAws(
  { target }: Account,
  [check, action]: readonly [check: string, action: string],
  run: () => Promise<Outcomes>,
): Promise<Finding[]> {
  const outcomes = await withTimeout(limitMilliseconds, run).catch((error) =>
    unansweredOutcome(target, action, error),
  );
  return [outcomes].flat().map((outcome) => ({ check, ...outcome }));
}

function unansweredOutcome(target: Account['target'], action: string, error: unknown): Outcome {
  const { name, message: cause } = error instanceof Error ? error : { name: 'Error', message: '' };
  const message = operatorErrorLine(error, target);
  if (target.kind === 'local' && missingNames.test(`${name} ${cause}`))
    return notChecked(`the emulator does not support ${action}`);
  if (error instanceof AnswerTimeoutError)
    return unanswered(`AWS did not respond within ${limitMilliseconds / 1000} s`, 'Run doctor again.');
  if (deniedNames.test(name))
    return unanswered(
      `access to ${action} denied`,
      'Grant it to your identity, or ask somebody with access.',
    );
  if (retryName(error) === ThrottledError.name) return unanswered(message, 'Run doctor again in a minute.');
  if (error instanceof ExpectedError || message === noCredentials)
    return unanswered(message, 'Fix this, then run doctor again.');
  return unanswered(message, `Look up this error of ${action}, then run doctor again.`);
}

export const missingOutput = (output: string): Outcome =>
  problem(`the stack has no output ${output}`, 'Deploy the stack again.');
