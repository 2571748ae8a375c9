import { CloudWatchClient, type MetricAlarm, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { demand, until } from '../run.ts';
import type { Scene } from '../scene.ts';
import { stackResources } from '../stack/cloudformation.ts';
import { sendStrangers } from './throttle-and-redrive.ts';

/** CloudWatch makes metrics of the log lines, and evaluates the alarms on them. */
export async function metrics(scene: Scene): Promise<void> {
  const resources = await stackResources(scene.place);
  const made = resources.filter(({ type }) => type === 'AWS::CloudWatch::Alarm');
  const client = new CloudWatchClient(scene.place.aws);
  const alarms = await alarmsOf(client, scene.place.stackName);
  demand(alarms.length === made.length, `only ${alarms.length} of ${made.length} alarms exist`);
  const mute = alarms.filter(
    ({ AlarmActions = [], OKActions = [] }) => AlarmActions.length * OKActions.length === 0,
  );
  demand(mute.length === 0, `no notification for ${mute.map(({ AlarmName }) => AlarmName).join(', ')}`);
  scene.proven(
    `${alarms.length} alarms are there, and say so to the topic when they go up and when it is over`,
  );
  if (!scene.place.isAws) {
    scene.notProven('metrics of log lines', 'an emulator creates no metrics from log lines');
    scene.notProven('alarms fire and end', 'an emulator evaluates no alarms');
    return;
  }
  await sendStrangers(scene);
  await proveAlarms(scene, client);
}

async function alarmsOf(client: CloudWatchClient, stackName: string): Promise<MetricAlarm[]> {
  const alarms: MetricAlarm[] = [];
  for await (const page of paginateDescribeAlarms({ client }, { AlarmNamePrefix: `${stackName}-` }))
    alarms.push(...(page.MetricAlarms ?? []));
  return alarms;
}

export function alarmProblems(alarms: readonly Pick<MetricAlarm, 'AlarmName' | 'StateValue'>[]): string[] {
  const stateOf = (part: string) => alarms.find(({ AlarmName: name }) => name?.includes(part))?.StateValue;
  const [sweep, strangers] = [stateOf('SweepSilent'), stateOf('Unauthenticated')];
  return [
    ...(sweep === 'OK' ? [] : [`SweepSilent is ${sweep}, and the sweep runs`]),
    ...(strangers === 'ALARM' ? [] : [`Unauthenticated is ${strangers}`]),
  ];
}

async function proveAlarms(scene: Scene, client: CloudWatchClient): Promise<void> {
  scene.log('waiting for the alarm Unauthenticated, about 5 minutes');
  let problems: string[] = [];
  await until('alarms are as expected', { minutes: 15, everySeconds: 20 }, async () => {
    problems = alarmProblems(await alarmsOf(client, scene.place.stackName));
    scene.log(problems.join('; ') || 'alarms are as expected');
    return problems.length === 0;
  });
  // Without metrics of its lines either alarm would be otherwise.
  scene.proven('CloudWatch creates metrics from log lines');
  scene.proven('the alarm for 100 requests without a key fired, and the alarm for a silent sweep did not');
}
