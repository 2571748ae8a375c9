import type { Environment } from '../../../lib/environment/environment.ts';
import type { Account } from '../../account/connect-account.ts';
import type { StackView } from '../../deployment/stack-outputs.ts';
import {
  askAws,
  type Finding,
  missingOutput,
  notAsked,
  type Outcome,
  ok,
  problem,
  warning,
} from './report.ts';
import { checkTables } from './table-checks.ts';

/** Checks what a deployment has to have, besides its chains. */
export async function checkStack(account: Account, stack: StackView, now: Date): Promise<Finding[]> {
  /** Makes a check of what an output names. */
  const ask = (check: string, action: string, output: string, look: (value: string) => Promise<Outcome>) =>
    askAws(account, [check, action], async () => {
      const value = stack.outputs[output];
      return value === undefined ? missingOutput(output) : look(value);
    });
  const listing = 'states:ListExecutions';
  const checks = await Promise.all([
    [{ check: 'stack', ...checkStatus(stack) }],
    checkTables(account, stack),
    ask('signing key', 'kms:DescribeKey', 'SigningKeyId', (keyId) => checkKey(account, keyId)),
    ask('alarm subscribers', 'sns:ListSubscriptionsByTopic', 'AlarmTopicArn', (topicArn) =>
      checkSubscribers(account, topicArn),
    ),
    askAws(account, ['last sweep', 'logs:FilterLogEvents'], () => checkSweep(account, stack, now)),
    ask('versions of attest', listing, 'AttestStateMachineArn', (arn) => checkVersions(account, arn)),
    ask('versions of lane', listing, 'LaneStateMachineArn', (arn) => checkVersions(account, arn)),
  ]);
  return checks.flat();
}

function checkStatus({ status, changedAt }: StackView): Outcome {
  const says = `${status}${changedAt ? `, changed ${changedAt.toISOString()}` : ''}`;
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status)) return ok(says);
  if (status.endsWith('_IN_PROGRESS'))
    return warning(says, 'Wait for the deployment, then run doctor again.');
  if (status === 'UPDATE_ROLLBACK_COMPLETE') {
    const failed = `${says}: the last deployment failed, the one before stands`;
    return warning(failed, 'Read its events, and deploy again.');
  }
  return problem(says, "Read the stack's events in CloudFormation, and deploy again.");
}

/** Checks that a stack whose environment asks for protection has it: a first deployment is made without. */
export function checkProtection(
  stack: StackView | undefined,
  environment: Pick<Environment, 'deletionProtection'> | undefined,
): Finding[] {
  if (!stack || stack.isProtected || !environment?.deletionProtection) return [];
  const says = 'the stack can be deleted, which its environment forbids (deletionProtection)';
  return [{ check: 'protection', ...warning(says, 'Deploy it again.') }];
}

async function checkKey(account: Account, keyId: string): Promise<Outcome> {
  const state = await account.keyState(keyId);
  if (state === 'Enabled') return ok(`${keyId} is enabled`);
  const todo =
    state === 'PendingDeletion'
      ? `Run aws kms cancel-key-deletion --key-id ${keyId}, then enable it.`
      : `Run aws kms enable-key --key-id ${keyId}`;
  return problem(`${keyId} is ${state}: nothing is signed`, todo);
}

async function checkSubscribers(account: Account, topicArn: string): Promise<Outcome> {
  const { confirmed, pending } = await account.subscriptions(topicArn);
  if (confirmed.length > 0) return ok(confirmed.join(', '));
  if (pending > 0)
    return warning(
      `nobody: ${pending} not confirmed yet`,
      'Follow the link in the mail that SNS sent to each.',
    );
  if (account.target.kind === 'local') return notAsked('the emulator evaluates no alarm');
  const todo = `Run aws sns subscribe --topic-arn ${topicArn} --protocol email --notification-endpoint ADDRESS`;
  return warning('nobody hears of alarms', todo);
}

/** How far back the sweep's log is read. It runs once a minute. */
const sweepMinutes = 10;

/** Age of a deployment whose first sweep may not have ended yet. */
const newSeconds = 180;

/** Age from which a sweep is late: `SweepSilent` is up after five minutes. */
const lateSeconds = 300;

async function checkSweep(account: Account, { changedAt }: StackView, now: Date): Promise<Outcome> {
  const groups = await account.logGroups();
  const [, group] = [...groups].find(([id]) => id.startsWith('WorkflowSweep')) ?? [];
  if (group === undefined)
    return problem('the stack has no log group of the sweep', 'Deploy the stack again.');
  const since = new Date(now.getTime() - sweepMinutes * 60_000);
  const last = await account.lastLine(group, 'sweep done', since);
  const age = last && Math.max(0, Math.round((now.getTime() - last.getTime()) / 1000));
  if (age !== undefined && age <= lateSeconds) return ok(`${age} s ago`);
  const says = age === undefined ? `none in the last ${sweepMinutes} minutes` : `${age} s ago`;
  if (changedAt && now.getTime() - changedAt.getTime() < newSeconds * 1000)
    return warning(`${says}; the stack is new`, 'Run doctor again in three minutes.');
  return problem(says, 'Do what docs/runbook.md says under SweepSilent.');
}

async function checkVersions(account: Account, machineArn: string): Promise<Outcome> {
  if (account.target.kind === 'local') return notAsked('the emulator has no versions');
  const { currentVersion, countByVersion } = await account.runningExecutions(machineArn);
  const older = [...countByVersion].filter(([version]) => version !== currentVersion);
  const running = countByVersion.get(currentVersion) ?? 0;
  const says = `version ${currentVersion} is deployed, ${running} of it running`;
  if (older.length === 0) return ok(says);
  return warning(
    `${says}; ${older.map(([version, count]) => `${count} of version ${version}`).join(', ')}`,
    'They end by themselves: a lane hands over to the new version at its next tick.',
  );
}
