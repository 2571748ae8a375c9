import type { Settings } from '../../../functions/domain/settings.ts';
import type { Environment } from '../../../lib/environment/environment.ts';
import type { Account } from '../../account/connect-account.ts';
import { isLow, type Quota, readConcurrency, readRates } from '../../account/quotas.ts';
import type { StackView } from '../../deployment/stack-outputs.ts';
import { noCredentials } from '../../error-line.ts';
import {
  checkAws,
  type Finding,
  missingOutput,
  notChecked,
  type Outcome,
  ok,
  problem,
  warning,
} from './report.ts';

/** Checks the prerequisites of a first deployment in the account and its Region. */
export async function checkAccount(account: Account, settings: Settings | undefined): Promise<Finding[]> {
  const minRate = settings?.throttle.ratePerSecond ?? 100;
  const credentials = await checkAws(account, ['credentials', 'sts:GetCallerIdentity'], async () =>
    ok(`${await account.identity()}, Region ${await account.region()}`),
  );
  // The other checks would fail for the same reason.
  if (credentials.some(({ message }) => message === noCredentials)) return credentials;
  const checks = await Promise.all([
    checkAws(account, ['bootstrap', 'ssm:GetParameter'], () => checkBootstrap(account)),
    checkAws(account, ['logging role', 'apigateway:GET of /account'], () => checkLoggingRole(account)),
    checkAws(account, ['concurrent executions', 'lambda:GetAccountSettings'], () =>
      checkConcurrency(account),
    ),
    checkAws(account, ['quotas of Step Functions', 'servicequotas:ListServiceQuotas'], async () => {
      const rates = await readRates(account, minRate);
      return rates.map(([check, rate]) => ({ check, ...checkRate(rate) }));
    }),
  ]);
  return [...credentials, ...checks.flat()];
}

/** Returns the account's ID in an ARN. */
export const accountIn = (arn: string): string | undefined => /(?<=:)\d{12}(?=:)/.exec(arn)?.[0];

/** Checks that the credentials match the environment's account and Region. */
export function checkCaller(account: Account, { account: id, region }: Environment): Promise<Finding[]> {
  return checkAws(account, ['account', 'sts:GetCallerIdentity'], async () => {
    const [arn, ownRegion] = await Promise.all([account.identity(), account.region()]);
    const ownId = accountIn(arn);
    if (ownId === id && ownRegion === region) return ok(`${id} in ${region}, as in the environment`);
    return problem(
      `the credentials are for ${ownId ?? 'an unknown account'} in ${ownRegion}, but the environment is in ${id} in ${region}`,
      account.target.kind === 'local'
        ? `Add --stack ${account.stackName}: without it, commands act on the local stack.`
        : 'Set AWS_PROFILE to a profile of that account, and AWS_REGION to that Region.',
    );
  });
}

async function checkBootstrap(account: Account): Promise<Outcome> {
  if (account.target.kind === 'local') return notChecked('the emulator does not need it');
  const version = await account.bootstrapVersion();
  return version === undefined
    ? problem('CDK is not bootstrapped in this Region', 'Run npx cdk bootstrap -c env=NAME.')
    : ok(`version ${version}`);
}

/** The role is set once for each account and Region. Without it, API Gateway rejects a stage with an access log. */
async function checkLoggingRole(account: Account): Promise<Outcome> {
  const role = await account.loggingRole();
  if (role !== undefined) return ok(role);
  if (account.target.kind === 'local') return notChecked('the emulator writes no access log');
  return problem(
    'API Gateway has no role for writing logs in this Region, so the deployment would fail',
    'Run the commands in docs/operations/reference/stack.md.',
  );
}

const increaseTodo = ({ service, code, wanted }: Quota): string =>
  `Run aws service-quotas request-service-quota-increase --service-code ${service} --quota-code ${code} --desired-value ${wanted}`;

async function checkConcurrency(account: Account): Promise<Outcome> {
  const quota = await readConcurrency(account);
  const message = `the Region can run ${quota.value} functions at once`;
  if (!isLow(quota) || account.target.kind === 'local') return ok(message);
  return warning(`${message}, so requests and steps will be throttled`, increaseTodo(quota));
}

function checkRate(rate: Quota | undefined): Outcome {
  if (!rate)
    return notChecked(
      'Service Quotas shows no applied value',
      'Check Service Quotas > AWS Step Functions in the console.',
    );
  const message = `${rate.value}; the API accepts ${rate.least} requests a second`;
  if (!isLow(rate)) return ok(message);
  return warning(`${message}, so attestations will take longer`, increaseTodo(rate));
}

export async function checkStack(account: Account, stack: StackView, now: Date): Promise<Finding[]> {
  const checkOutput = (
    check: string,
    action: string,
    output: string,
    run: (value: string) => Promise<Outcome>,
  ) =>
    checkAws(account, [check, action], async () => {
      const value = stack.outputs[output];
      return value === undefined ? missingOutput(output) : run(value);
    });
  const listing = 'states:ListExecutions';
  const checks = await Promise.all([
    [{ check: 'stack', ...checkStatus(stack, account.stackName) }],
    checkTables(account, stack),
    checkOutput('signing key', 'kms:DescribeKey', 'SigningKeyId', (keyId) => checkKey(account, keyId)),
    checkOutput('alarm subscribers', 'sns:ListSubscriptionsByTopic', 'AlarmTopicArn', (topicArn) =>
      checkSubscribers(account, topicArn),
    ),
    checkAws(account, ['last sweep', 'logs:FilterLogEvents'], () => checkSweep(account, stack, now)),
    checkOutput('versions of attest', listing, 'AttestStateMachineArn', (arn) => checkVersions(account, arn)),
    checkOutput('versions of lane', listing, 'LaneStateMachineArn', (arn) => checkVersions(account, arn)),
  ]);
  return checks.flat();
}

/** Statuses after a failed first deployment. */
export const failedCreation = /^(CREATE_FAILED|ROLLBACK_(COMPLETE|FAILED))$/;

export const unprotectCommand = (stackName: string): string =>
  `aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${stackName}`;

function checkStatus({ status, changedAt, isProtected }: StackView, stackName: string): Outcome {
  const message = `${status}${changedAt ? `, changed ${changedAt.toISOString()}` : ''}`;
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status)) return ok(message);
  if (status.endsWith('_IN_PROGRESS'))
    return warning(message, 'Wait for the deployment, then run doctor again.');
  if (status === 'UPDATE_ROLLBACK_COMPLETE') {
    const failed = `${message}: the last deployment failed and was rolled back`;
    return warning(failed, 'Read its events in CloudFormation, and deploy again.');
  }
  // Before another deployment, the CDK deletes the stack of a failed first one. Termination protection prevents that.
  const unprotect = failedCreation.test(status) && isProtected ? ` run ${unprotectCommand(stackName)},` : '';
  return problem(message, `Read the stack's events in CloudFormation,${unprotect} and deploy again.`);
}

/** Checks the protection of the stack and of its tables. A first deployment does not protect the tables. */
export function checkProtection(
  stack: StackView | undefined,
  environment: Pick<Environment, 'deletionProtection'> | undefined,
  name: string | undefined,
): Finding[] {
  if (!stack || failedCreation.test(stack.status) || !environment?.deletionProtection) return [];
  const warn = (what: string, todo: string) => [
    {
      check: 'protection',
      ...warning(`${what} can be deleted, although its environment sets deletionProtection`, todo),
    },
  ];
  if (stack.protection !== 'on')
    return warn('the stack with its tables', `Run npx cdk deploy -c env=${name} --parameters Protection=on`);
  return stack.isProtected ? [] : warn('the stack', 'Deploy it again.');
}

async function checkKey(account: Account, keyId: string): Promise<Outcome> {
  const state = await account.keyState(keyId);
  if (state === 'Enabled') return ok(`${keyId} is enabled`);
  const todo =
    state === 'PendingDeletion'
      ? `Run aws kms cancel-key-deletion --key-id ${keyId}, then enable it.`
      : `Run aws kms enable-key --key-id ${keyId}`;
  return problem(`${keyId} is ${state}, so nothing is signed`, todo);
}

async function checkSubscribers(account: Account, topicArn: string): Promise<Outcome> {
  const { confirmed, pending } = await account.subscriptions(topicArn);
  if (confirmed.length > 0) return ok(confirmed.join(', '));
  if (pending > 0)
    return warning(
      `none, and ${pending} not confirmed yet`,
      'Follow the link in the email that SNS sent to each.',
    );
  if (account.target.kind === 'local') return notChecked('alarms of a local stack notify nobody');
  const todo = `Run aws sns subscribe --topic-arn ${topicArn} --protocol email --notification-endpoint ADDRESS`;
  return warning('alarms have no subscribers', todo);
}

const sweepMinutes = 10;

/** Age of a deployment that may not have a sweep yet. */
const newSeconds = 180;

/** `SweepSilent` fires after five minutes. */
const lateSeconds = 300;

async function checkSweep(account: Account, { changedAt }: StackView, now: Date): Promise<Outcome> {
  const groups = await account.logGroups();
  const [, group] = [...groups].find(([id]) => id.startsWith('WorkflowSweep')) ?? [];
  if (group === undefined)
    return problem('the stack has no log group for the sweep', 'Deploy the stack again.');
  const since = new Date(now.getTime() - sweepMinutes * 60_000);
  const last = await account.lastLine(group, 'sweep done', since);
  const age = last && Math.max(0, Math.round((now.getTime() - last.getTime()) / 1000));
  if (age !== undefined && age <= lateSeconds) return ok(`${age} s ago`);
  const message = age === undefined ? `none in the last ${sweepMinutes} minutes` : `${age} s ago`;
  if (changedAt && now.getTime() - changedAt.getTime() < newSeconds * 1000)
    return warning(`${message}; the deployment is new`, 'Run doctor again in three minutes.');
  return problem(message, 'See SweepSilent in docs/runbook.md.');
}

async function checkVersions(account: Account, machineArn: string): Promise<Outcome> {
  if (account.target.kind === 'local') return notChecked('the emulator has no versions');
  const { currentVersion, countByVersion } = await account.runningExecutions(machineArn);
  const older = [...countByVersion].filter(([version]) => version !== currentVersion);
  const running = countByVersion.get(currentVersion) ?? 0;
  const message = `version ${currentVersion} is deployed, with ${running} running`;
  if (older.length === 0) return ok(message);
  return warning(
    `${message}; ${older.map(([version, count]) => `${count} of version ${version}`).join(', ')}`,
    'Do nothing: they end automatically, and a lane switches to the new version at its next tick.',
  );
}

type TableView = Awaited<ReturnType<Account['table']>>;

interface TableNeeds {
  readonly indexes?: readonly string[];
  readonly timeToLiveAttribute?: string;
  readonly isStreamed?: boolean;
}

/** Required settings of each table, by output. A restored table has only the indexes. */
const tables: Readonly<Record<string, TableNeeds>> = {
  AttestationsTable: { indexes: ['due', 'inFlight'], timeToLiveAttribute: 'expiresAt', isStreamed: true },
  LanesTable: { timeToLiveAttribute: 'expiresAt' },
  QueueTable: {},
  OrganizationsTable: {},
  WebhooksTable: { timeToLiveAttribute: 'expiresAt' },
};

/** Checks the tables, with one line if all are healthy, otherwise one for each problem. */
export async function checkTables(account: Account, stack: StackView): Promise<Finding[]> {
  const isCloud = account.target.kind === 'cloud';
  const checks = Object.entries(tables).map(([output, needs]) =>
    checkAws(account, ['tables', 'dynamodb:Describe*'], async () => {
      const name = stack.outputs[output];
      if (name === undefined) return missingOutput(output);
      const table = await account.table(name);
      const broken = brokenTable(name, table, needs);
      // Emulators do not support the rest.
      return broken ?? (isCloud ? missingSettings(name, table, needs, stack) : []);
    }),
  );
  const wrong = (await Promise.all(checks)).flat();
  if (wrong.length > 0) return wrong;
  const backup = isCloud ? ', with point-in-time recovery' : '';
  return [{ check: 'tables', ...ok(`${checks.length} tables and their indexes exist${backup}`) }];
}

function brokenTable(name: string, table: TableView, { indexes = [] }: TableNeeds): Outcome | undefined {
  if (table.status !== 'ACTIVE' && table.status !== 'UPDATING')
    return problem(`${name} is ${table.status}`, 'Wait, then run doctor again.');
  const missing = indexes.filter((index) => table.indexes[index] !== 'ACTIVE');
  if (missing.length === 0) return undefined;
  return problem(
    `${name} has no readable index ${missing.join(', ')}`,
    'Wait until it is built; if the table was restored, restore it with its indexes.',
  );
}

function missingSettings(
  name: string,
  table: TableView,
  { timeToLiveAttribute: attribute, isStreamed = false }: TableNeeds,
  { protection }: StackView,
): Outcome[] {
  const unless = (met: boolean, text: string, command: string, options: string) =>
    met ? [] : [warning(`${name} ${text}`, `Run aws dynamodb ${command} --table-name ${name} --${options}`)];
  return [
    ...unless(
      table.hasPointInTimeRecovery,
      'has no point-in-time recovery',
      'update-continuous-backups',
      'point-in-time-recovery-specification PointInTimeRecoveryEnabled=true',
    ),
    ...unless(
      table.isProtected || protection !== 'on',
      "can be deleted, although the stack's parameter Protection is on",
      'update-table',
      'deletion-protection-enabled',
    ),
    ...unless(
      table.hasStream || !isStreamed,
      'has no stream, which webhooks need',
      'update-table',
      'stream-specification StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES, ' +
        'and deploy with its ARN as existing.tables.attestationsStream.',
    ),
    ...unless(
      attribute === undefined || table.timeToLiveAttribute === attribute,
      'does not delete expired items',
      'update-time-to-live',
      `time-to-live-specification Enabled=true,AttributeName=${attribute}`,
    ),
  ];
}
