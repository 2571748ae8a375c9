import { CloudWatchClient, type MetricAlarm, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { assert, waitUntil } from '../conditions.ts';
import { stackResources } from '../stack/cloudformation.ts';
import type { StepContext } from '../step-context.ts';
import { sendUnauthenticated } from './throttle-and-redrive.ts';

/** Proves that CloudWatch creates metrics from log lines, and evaluates the alarms on them. */
export async function metrics(context: StepContext): Promise<void> {
  const resources = await stackResources(context.target);
  const expected = resources.filter(({ type }) => type === 'AWS::CloudWatch::Alarm');
  const client = new CloudWatchClient(context.target.aws);
  const alarms = await alarmsOf(client, context.target.stackName);
  assert(alarms.length === expected.length, `only ${alarms.length} of ${expected.length} alarms exist`);
  const silent = alarms.filter(
    ({ AlarmActions = [], OKActions = [] }) => AlarmActions.length * OKActions.length === 0,
  );
  assert(silent.length === 0, `no notification for ${silent.map(({ AlarmName }) => AlarmName).join(', ')}`);
  context.proven(`${alarms.length} alarms exist, and notify the topic when they fire and when they end`);
  if (!context.target.isAws) {
    context.notProven('metrics of log lines', 'an emulator creates no metrics from log lines');
    context.notProven('alarms fire and end', 'an emulator evaluates no alarms');
    return;
  }
  await sendUnauthenticated(context);
  await proveAlarms(context, client);
}

async function alarmsOf(client: CloudWatchClient, stackName: string): Promise<MetricAlarm[]> {
  const alarms: MetricAlarm[] = [];
  for await (const page of paginateDescribeAlarms({ client }, { AlarmNamePrefix: `${stackName}-` }))
    alarms.push(...(page.MetricAlarms ?? []));
  return alarms;
}

export function alarmProblems(alarms: readonly Pick<MetricAlarm, 'AlarmName' | 'StateValue'>[]): string[] {
  const stateOf = (part: string) => alarms.find(({ AlarmName: name }) => name?.includes(part))?.StateValue;
  const [sweep, unauthenticated] = [stateOf('SweepSilent'), stateOf('Unauthenticated')];
  return [
    ...(sweep === 'OK' ? [] : [`SweepSilent is ${sweep}, although the sweep runs`]),
    ...(unauthenticated === 'ALARM' ? [] : [`Unauthenticated is ${unauthenticated}`]),
  ];
}

async function proveAlarms(context: StepContext, client: CloudWatchClient): Promise<void> {
  context.log('waiting for the alarm Unauthenticated, about 5 minutes');
  let problems: string[] = [];
  await waitUntil('alarms are as expected', { minutes: 15, everySeconds: 20 }, async () => {
    problems = alarmProblems(await alarmsOf(client, context.target.stackName));
    context.log(problems.join('; ') || 'alarms are as expected');
    return problems.length === 0;
  });
  // Without metrics from log lines, both alarms would have other states.
  context.proven('CloudWatch creates metrics from log lines');
  context.proven('the alarm for 100 requests without a key fired, and the alarm for a silent sweep did not');
}
