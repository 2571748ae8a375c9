import { retryName } from '../../../functions/adapters/aws/client.ts';
import { AnswerTimeoutError, withTimeout } from '../../../functions/adapters/chain/transport.ts';
import { ExpectedError, ThrottledError } from '../../../functions/domain/errors.ts';
import type { Account } from '../../account/connect-account.ts';
import { noCredentials, operatorErrorLine } from '../../error-line.ts';
import { type Finding, notAsked, type Outcome, problem, unanswered } from './report.ts';

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
    return notAsked(`the emulator has no ${action}`);
  if (error instanceof AnswerTimeoutError)
    return unanswered(`AWS gives no answer in ${limitMilliseconds / 1000} s`, 'Run doctor again.');
  if (deniedNames.test(name))
    return unanswered('access denied', `Let your identity do ${action}, or ask somebody who may.`);
  if (retryName(error) === ThrottledError.name) return unanswered(says, 'Run doctor again in a minute.');
  if (error instanceof ExpectedError || says === noCredentials)
    return unanswered(says, 'Do that, then run doctor again.');
  return unanswered(says, `Look up the error of ${action}, then run doctor again.`);
}

export const missingOutput = (output: string): Outcome =>
  problem(`the stack has no output ${output}`, 'Deploy the stack again.');
