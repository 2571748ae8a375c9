import type { Settings } from '../../../functions/domain/settings.ts';
import type { Account } from '../../account/connect-account.ts';
import { askAws, type Finding, notAsked, type Outcome, ok, problem, warning } from './report.ts';

/** Functions at once below which a usual day is throttled; new accounts may run ten. */
const leastConcurrency = 100;

/** Checks what the account and its Region have to have before the first deployment. */
export async function checkAccount(account: Account, settings: Settings | undefined): Promise<Finding[]> {
  const least = settings?.throttle.ratePerSecond ?? 100;
  const checks = await Promise.all([
    askAws(account, ['credentials', 'sts:GetCallerIdentity'], async () =>
      ok(`${await account.identity()}, Region ${await account.region()}`),
    ),
    askAws(account, ['bootstrap', 'ssm:GetParameter'], () => checkBootstrap(account)),
    askAws(account, ['logging role', 'apigateway:GET of /account'], () => checkLoggingRole(account)),
    askAws(account, ['concurrent executions', 'lambda:GetAccountSettings'], () => checkConcurrency(account)),
    askAws(account, ['quotas of Step Functions', 'servicequotas:ListServiceQuotas'], async () => {
      const quotas = await account.quotas('states');
      return [
        { check: 'starts a second', ...checkQuota(quotas, /StartExecution.*refill/i, least) },
        { check: 'state transitions a second', ...checkQuota(quotas, /transition.*refill/i, least) },
      ];
    }),
  ]);
  return checks.flat();
}

async function checkBootstrap(account: Account): Promise<Outcome> {
  if (account.target.kind === 'local') return notAsked('an emulator takes a deployment without it');
  const version = await account.bootstrapVersion();
  return version === undefined
    ? problem('CDK has no place for assets in this Region', 'Run npx cdk bootstrap, once a Region.')
    : ok(`version ${version}`);
}

/** The role belongs to the account's Region; without it the stage with its access log is refused. */
async function checkLoggingRole(account: Account): Promise<Outcome> {
  const role = await account.loggingRole();
  if (role !== undefined) return ok(role);
  if (account.target.kind === 'local') return notAsked('the emulator writes no access log');
  return problem(
    'API Gateway has no role to write logs with in this Region, and the deployment would fail',
    'Create it as docs/operations.md says under Deploying.',
  );
}

const increase = 'Run aws service-quotas request-service-quota-increase --service-code';

async function checkConcurrency(account: Account): Promise<Outcome> {
  const count = await account.concurrentExecutions();
  const says = `${count} functions of the Region may run at once`;
  if (count >= leastConcurrency || account.target.kind === 'local') return ok(says);
  const todo = `${increase} lambda --quota-code L-B99A9384 --desired-value 1000`;
  return warning(`${says}: requests and steps will be throttled`, todo);
}

function checkQuota(quotas: Awaited<ReturnType<Account['quotas']>>, of: RegExp, least: number): Outcome {
  const found = quotas.find(({ name }) => of.test(name));
  if (!found)
    return notAsked(
      'Service Quotas shows no applied value',
      'Look in the console under Service Quotas, AWS Step Functions.',
    );
  const { code, value } = found;
  const says = `${value}, and the API lets ${least} requests a second in`;
  if (value >= least) return ok(says);
  const todo = `${increase} states --quota-code ${code} --desired-value ${least * 2}`;
  return warning(`${says}: attestations will take longer`, todo);
}
