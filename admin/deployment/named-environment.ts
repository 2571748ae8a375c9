import type { Environment } from '../../lib/environment/environment.ts';
import { readEnvironment } from '../../lib/environment/read-environment.ts';
import type { Account } from '../account/connect-account.ts';
import { UsageInvalidError } from '../terminal/errors.ts';

/** Reads the environment of --env. @throws UsageInvalidError if its stack is not the account's, FileInvalidError */
export function namedEnvironment(account: Account, name: string): Environment {
  const environment = readEnvironment(name);
  const { stackName } = environment;
  if (stackName === account.stackName) return environment;
  throw new UsageInvalidError(`the stack of ${name} is ${stackName}; add --stack ${stackName}`);
}
