import type { Environment } from '../../../lib/environment/environment.ts';
import type { Account, StackView } from '../../account/account.ts';
import { askAws } from './ask-aws.ts';
import { type Finding, notAsked, ok, problem, warning } from './finding.ts';
import { checkTables } from './table-checks.ts';

/** Checks what a deployment has to have, besides its chains. */
export async function checkStack(account: Account, stack: StackView, now: Date): Promise<Finding[]> {
  const checks = await Promise.all([
    [stackFinding(stack)],
    checkTables(account, stack),
    checkKey(account, stack),
    checkSubscribers(account, stack),
    checkSweep(account, stack, now),
    checkVersions(account, stack, 'attest', 'AttestStateMachineArn'),
    checkVersions(account, stack, 'lane', 'LaneStateMachineArn'),
  ]);
  return checks.flat();
}

function stackFinding({ status, changedAt }: StackView): Finding {
  const says = `${status}${changedAt ? `, changed ${changedAt.toISOString()}` : ''}`;
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status)) return ok('stack', says);
  if (status.endsWith('_IN_PROGRESS'))
    return warning('stack', says, 'Wait for the deployment, then run doctor again.');
  if (status === 'UPDATE_ROLLBACK_COMPLETE')
    return warning(
      'stack',
      `${says}: the last deployment failed, the one before stands`,
      'Read its events, and deploy again.',
    );
  return problem('stack', says, "Read the stack's events in CloudFormation, and deploy again.");
}

/** Checks that a stack whose environment asks for protection has it: a first deployment is made without. */
export function checkProtection(
  stack: StackView | undefined,
  environment: Pick<Environment, 'deletionProtection'> | undefined,
): Finding[] {
  if (!stack || stack.isProtected || !environment?.deletionProtection) return [];
  const says = 'the stack can be deleted, which its environment forbids (deletionProtection)';
  return [warning('protection', says, 'Deploy it again.')];
}

function checkKey(account: Account, { outputs }: StackView): Promise<Finding[]> {
  const check = 'signing key';
  return askAws(account, { check, action: 'kms:DescribeKey' }, async () => {
    const { SigningKeyId: keyId } = outputs;
    if (keyId === undefined) return missingOutput(check, 'SigningKeyId');
    const state = await account.keyState(keyId);
    if (state === 'Enabled') return ok(check, `${keyId} is enabled`);
    const todo =
      state === 'PendingDeletion'
        ? `Run aws kms cancel-key-deletion --key-id ${keyId}, then enable it.`
        : `Run aws kms enable-key --key-id ${keyId}`;
    return problem(check, `${keyId} is ${state}: nothing is signed`, todo);
  });
}

function checkSubscribers(account: Account, { outputs }: StackView): Promise<Finding[]> {
  const check = 'alarm subscribers';
  return askAws(account, { check, action: 'sns:ListSubscriptionsByTopic' }, async () => {
    const { AlarmTopicArn: topicArn } = outputs;
    if (topicArn === undefined) return missingOutput(check, 'AlarmTopicArn');
    const { confirmed, pending } = await account.subscriptions(topicArn);
    if (confirmed.length > 0) return ok(check, confirmed.join(', '));
    if (pending > 0)
      return warning(
        check,
        `nobody: ${pending} not confirmed yet`,
        'Follow the link in the mail that SNS sent to each.',
      );
    if (account.target.kind === 'local') return notAsked(check, 'the emulator evaluates no alarm');
    return warning(
      check,
      'nobody hears of alarms',
      `Run aws sns subscribe --topic-arn ${topicArn} --protocol email --notification-endpoint ADDRESS`,
    );
  });
}

/** How far back the sweep's log is read. It runs once a minute. */
const sweepMinutes = 10;

/** Age of a deployment whose first sweep may not have ended yet. */
const newSeconds = 180;

/** Age from which a sweep is late: `SweepSilent` is up after five minutes. */
const lateSeconds = 300;

function checkSweep(account: Account, { changedAt }: StackView, now: Date): Promise<Finding[]> {
  const check = 'last sweep';
  return askAws(account, { check, action: 'logs:FilterLogEvents' }, async () => {
    const groups = await account.logGroups();
    const [, group] = [...groups].find(([id]) => id.startsWith('WorkflowSweep')) ?? [];
    if (group === undefined)
      return problem(check, 'the stack has no log group of the sweep', 'Deploy the stack again.');
    const since = new Date(now.getTime() - sweepMinutes * 60_000);
    const last = await account.lastLine(group, 'sweep done', since);
    const age = last && Math.max(0, Math.round((now.getTime() - last.getTime()) / 1000));
    if (age !== undefined && age <= lateSeconds) return ok(check, `${age} s ago`);
    const says = age === undefined ? `none in the last ${sweepMinutes} minutes` : `${age} s ago`;
    if (changedAt && now.getTime() - changedAt.getTime() < newSeconds * 1000)
      return warning(check, `${says}; the stack is new`, 'Run doctor again in three minutes.');
    return problem(check, says, 'Do what docs/runbook.md says under SweepSilent.');
  });
}

function checkVersions(
  account: Account,
  { outputs }: StackView,
  machine: 'attest' | 'lane',
  output: string,
): Promise<Finding[]> {
  const check = `versions of ${machine}`;
  return askAws(account, { check, action: 'states:ListExecutions' }, async () => {
    const arn = outputs[output];
    if (arn === undefined) return missingOutput(check, output);
    if (account.target.kind === 'local') return notAsked(check, 'the emulator has no versions');
    const { currentVersion, countByVersion } = await account.runningExecutions(arn);
    const older = [...countByVersion].filter(([version]) => version !== currentVersion);
    const running = countByVersion.get(currentVersion) ?? 0;
    const says = `version ${currentVersion} is deployed, ${running} of it running`;
    if (older.length === 0) return ok(check, says);
    return warning(
      check,
      `${says}; ${older.map(([version, count]) => `${count} of version ${version}`).join(', ')}`,
      'They end by themselves: a lane hands over to the new version at its next tick.',
    );
  });
}

export function missingOutput(check: string, output: string): Finding {
  return problem(check, `the stack has no output ${output}`, 'Deploy the stack again.');
}
