import { retryName } from '../../../functions/adapters/aws/client.ts';
import { AnswerTimeoutError, withTimeout } from '../../../functions/adapters/chain/transport.ts';
import { ExpectedError, ThrottledError } from '../../../functions/domain/errors.ts';
import type { Account } from '../../account/account.ts';
import { noCredentials, operatorErrorLine } from '../../error-line.ts';
import { type Finding, notAsked, unanswered } from './finding.ts';

/** Time for one check, the SDK's retries included. */
const limitMilliseconds = 60_000;

const deniedNames = /AccessDenied|NotAuthorized|UnauthorizedOperation|UnrecognizedClient|Forbidden/;

/** Names of the errors with which emulators answer what they do not have. */
const missingNames =
  /UnknownOperation|InvalidAction|NotImplemented|UnknownError|UnsupportedOperation|SyntaxError/;

/** A check of AWS, and the IAM action that it takes. */
export interface AwsCheck {
  readonly check: string;
  readonly action: string;
}

/** Makes a check of AWS. An error is a finding too: it says what kept the check from its answer. */
export async function askAws(
  account: Account,
  { check, action }: AwsCheck,
  ask: () => Promise<Finding | readonly Finding[]>,
): Promise<Finding[]> {
  try {
    return [await withTimeout(limitMilliseconds, ask)].flat();
  } catch (error) {
    return [withoutAnswer(account, { check, action }, error)];
  }
}

function withoutAnswer(account: Account, { check, action }: AwsCheck, error: unknown): Finding {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: '' };
  const says = operatorErrorLine(error, account.target);
  if (account.target.kind === 'local' && missingNames.test(`${name} ${message}`))
    return notAsked(check, `the emulator has no ${action}`);
  if (error instanceof AnswerTimeoutError)
    return unanswered(check, `AWS gives no answer in ${limitMilliseconds / 1000} s`, 'Run doctor again.');
  if (deniedNames.test(name))
    return unanswered(check, 'access denied', `Let your identity do ${action}, or ask somebody who may.`);
  if (retryName(error) === ThrottledError.name)
    return unanswered(check, says, 'Run doctor again in a minute.');
  if (error instanceof ExpectedError || says === noCredentials)
    return unanswered(check, says, 'Do that, then run doctor again.');
  return unanswered(check, says, `Look up the error of ${action}, then run doctor again.`);
}
