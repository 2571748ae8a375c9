import { styleText } from 'node:util';
import { printable } from 'imprimatur-terminal/text';
import { retryName } from '../../../functions/adapters/aws/client.ts';
import { AnswerTimeoutError, withTimeout } from '../../../functions/adapters/chain/transport.ts';
import { ExpectedError, ThrottledError } from '../../../functions/domain/errors.ts';
import type { Account } from '../../account/connect-account.ts';
import { noCredentials, operatorErrorLine } from '../../error-line.ts';

const styles = { ok: 'green', warning: 'yellow', problem: 'red', 'not asked': 'dim' } as const;

type State = keyof typeof styles;

/** In the order in which they are counted in the last line. */
const states = Object.keys(styles) as State[];

/** What a check found: one line for the operator. */
export interface Outcome {
  readonly state: State;
  /** What was found, or why it was not asked. */
  readonly says: string;
  /** What the operator has to do; `null` when there is nothing to do. */
  readonly todo: string | null;
  /** Set where the answer was wanted and did not come, say for want of a permission: then nothing is known. */
  readonly failed?: true;
}

/** An outcome, and what was looked at, in a word or two. */
export interface Finding extends Outcome {
  readonly check: string;
}

/** Findings of one part of a deployment. */
export interface Section {
  readonly title: string;
  /** The chain that the section is of. */
  readonly chainId?: number;
  readonly findings: readonly Finding[];
}

export const ok = (says: string): Outcome => ({ state: 'ok', says, todo: null });

/** Something that does not stop the service. */
export const warning = (says: string, todo: string): Outcome => ({ state: 'warning', says, todo });

/** Something with which the service does not work, or does not deploy. */
export const problem = (says: string, todo: string): Outcome => ({ state: 'problem', says, todo });

/** A check that does not apply here, or not yet. */
export const notAsked = (says: string, todo: string | null = null): Outcome => ({
  ...{ state: 'not asked', says, todo },
});

/** A check whose answer did not come. */
export const unanswered = (says: string, todo: string): Outcome => ({
  ...{ state: 'not asked', says, todo, failed: true },
});

/** Exit code for pipelines: 1 with a problem, 2 when something could not be asked, otherwise 0. */
export function exitCodeOf(sections: readonly Section[]): 0 | 1 | 2 {
  const findings = sections.flatMap((section) => section.findings);
  if (findings.some(({ state }) => state === 'problem')) return 1;
  return findings.some(({ failed }) => failed) ? 2 : 0;
}

const stateWidth = Math.max(...states.map((state) => state.length));

/** Formats the report: sections with a line for each finding, then how many there are of each state. */
export function reportText(sections: readonly Section[], isColored: boolean): string {
  const shown = sections.filter(({ findings }) => findings.length > 0);
  const parts = shown.map(({ title, findings }) =>
    [title, ...findings.map((finding) => findingText(finding, isColored))].join('\n'),
  );
  return [...parts, countText(shown)].join('\n\n');
}

/** Formats how many findings there are of each state. */
export function countText(sections: readonly Section[]): string {
  const findings = sections.flatMap((section) => section.findings);
  return states
    .map((state) => [findings.filter((finding) => finding.state === state).length, state] as const)
    .filter(([count]) => count > 0)
    .map(([count, state]) => `${count} ${count > 1 && /ing$|lem$/.test(state) ? `${state}s` : state}`)
    .join(', ');
}

function findingText({ check, state, says, todo }: Finding, isColored: boolean): string {
  const word = state.padEnd(stateWidth);
  const shown = isColored ? styleText(styles[state], word, { validateStream: false }) : word;
  return `  ${shown}  ${oneLine(`${check}: ${says}${todo === null ? '' : ` -> ${todo}`}`)}`;
}

/** What providers, settings and names bring along must not make lines or colors of its own. */
const oneLine = (text: string): string => printable(text.replaceAll(/\s+/g, ' '));

/** Time for one check, the SDK's retries included. */
const limitMilliseconds = 60_000;

const deniedNames = /AccessDenied|NotAuthorized|UnauthorizedOperation|UnrecognizedClient|Forbidden/;

/** Names of the errors with which emulators answer what they do not have. */
const missingNames =
  /UnknownOperation|InvalidAction|NotImplemented|UnknownError|UnsupportedOperation|SyntaxError/;

/** Outcomes of a check; one that has a name of its own keeps it. */
type Outcomes = Outcome | readonly (Outcome & Partial<Finding>)[];

/** Makes a check of AWS, which takes that IAM action. An error is a finding too: it says what kept the check from its answer. */
export async function askAws(
  { target }: Account,
  [check, action]: readonly [check: string, action: string],
  ask: () => Promise<Outcomes>,
): Promise<Finding[]> {
  const outcomes = await withTimeout(limitMilliseconds, ask).catch((error) =>
    withoutAnswer(target, action, error),
  );
  return [outcomes].flat().map((outcome) => ({ check, ...outcome }));
}

function withoutAnswer(target: Account['target'], action: string, error: unknown): Outcome {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: '' };
  const says = operatorErrorLine(error, target);
  if (target.kind === 'local' && missingNames.test(`${name} ${message}`))
    return notAsked(`the emulator does not support ${action}`);
  if (error instanceof AnswerTimeoutError)
    return unanswered(`AWS did not respond within ${limitMilliseconds / 1000} s`, 'Run doctor again.');
  if (deniedNames.test(name))
    return unanswered('access denied', `Grant your identity ${action}, or ask somebody with access.`);
  if (retryName(error) === ThrottledError.name) return unanswered(says, 'Run doctor again in a minute.');
  if (error instanceof ExpectedError || says === noCredentials)
    return unanswered(says, 'Fix this, then run doctor again.');
  return unanswered(says, `Look up this error of ${action}, then run doctor again.`);
}

export const missingOutput = (output: string): Outcome =>
  problem(`the stack has no output ${output}`, 'Deploy the stack again.');
