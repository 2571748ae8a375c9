import type { Settings } from '../../../functions/domain/settings.ts';
import type { Account, Quota } from '../../account/account.ts';
import { askAws } from './ask-aws.ts';
import { type Finding, notAsked, ok, problem, warning } from './finding.ts';

/** Functions at once below which a usual day is throttled; new accounts may run ten. */
const leastConcurrency = 100;

/** Checks what the account and its Region have to have before the first deployment. */
export async function checkAccount(account: Account, settings: Settings | undefined): Promise<Finding[]> {
  const checks = await Promise.all([
    checkIdentity(account),
    checkBootstrap(account),
    checkLoggingRole(account),
    checkConcurrency(account),
    checkExecutionQuotas(account, settings),
  ]);
  return checks.flat();
}

function checkIdentity(account: Account): Promise<Finding[]> {
  return askAws(account, { check: 'credentials', action: 'sts:GetCallerIdentity' }, async () => {
    const [arn, region] = await Promise.all([account.identity(), account.region()]);
    return ok('credentials', `${arn}, Region ${region}`);
  });
}

function checkBootstrap(account: Account): Promise<Finding[]> {
  const check = 'bootstrap';
  if (account.target.kind === 'local')
    return Promise.resolve([notAsked(check, 'an emulator takes a deployment without it')]);
  return askAws(account, { check, action: 'ssm:GetParameter' }, async () => {
    const version = await account.bootstrapVersion();
    return version === undefined
      ? problem(check, 'CDK has no place for assets in this Region', 'Run npx cdk bootstrap, once a Region.')
      : ok(check, `version ${version}`);
  });
}

/** The role belongs to the account's Region; without it the stage with its access log is refused. */
function checkLoggingRole(account: Account): Promise<Finding[]> {
  const check = 'logging role';
  return askAws(account, { check, action: 'apigateway:GET of /account' }, async () => {
    const role = await account.loggingRole();
    if (role !== undefined) return ok(check, role);
    if (account.target.kind === 'local') return notAsked(check, 'the emulator writes no access log');
    return problem(
      check,
      'API Gateway has no role to write logs with in this Region, and the deployment would fail',
      'Create it as docs/operations.md says under Deploying.',
    );
  });
}

function checkConcurrency(account: Account): Promise<Finding[]> {
  const check = 'concurrent executions';
  return askAws(account, { check, action: 'lambda:GetAccountSettings' }, async () => {
    const count = await account.concurrentExecutions();
    if (count >= leastConcurrency || account.target.kind === 'local')
      return ok(check, `${count} functions of the Region may run at once`);
    return warning(
      check,
      `${count} functions of the Region may run at once: requests and steps will be throttled`,
      'Run aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 ' +
        '--desired-value 1000',
    );
  });
}

function checkExecutionQuotas(account: Account, settings: Settings | undefined): Promise<Finding[]> {
  return askAws(
    account,
    { check: 'quotas of Step Functions', action: 'servicequotas:ListServiceQuotas' },
    async () => {
      const quotas = await account.quotas('states');
      const least = settings?.throttle.ratePerSecond ?? 100;
      return [
        quotaFinding(quotas, { check: 'starts a second', of: /StartExecution.*refill/i, least }),
        quotaFinding(quotas, { check: 'state transitions a second', of: /transition.*refill/i, least }),
      ];
    },
  );
}

function quotaFinding(
  quotas: readonly Quota[],
  { check, of, least }: { readonly check: string; readonly of: RegExp; readonly least: number },
): Finding {
  const found = quotas.find(({ name }) => of.test(name));
  if (!found)
    return notAsked(
      check,
      'Service Quotas shows no applied value',
      'Look in the console under Service Quotas, AWS Step Functions.',
    );
  const { code, value } = found;
  if (value >= least) return ok(check, `${value}, and the API lets ${least} requests a second in`);
  return warning(
    check,
    `${value}, and the API lets ${least} requests a second in: attestations will take longer`,
    `Run aws service-quotas request-service-quota-increase --service-code states --quota-code ${code} ` +
      `--desired-value ${least * 2}`,
  );
}
