import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  type DescribeAlarmsCommandOutput,
  GetMetricDataCommand,
  type GetMetricDataCommandOutput,
  type MetricAlarm,
} from '@aws-sdk/client-cloudwatch';
import { metricsNamespace, metricsService } from '../../../lib/access/access-environment.ts';
import { demand, until } from '../demand.ts';
import { stackResources } from '../place/stack-resources.ts';
import { onlyAws, type Scene } from '../scene.ts';
import { sendStrangers } from '../strangers.ts';

/** Metrics that lines of every run make: the sweep's heartbeat, and requests without a valid key. */
const counted = ['SweepDone', 'Unauthenticated'];

/** CloudWatch makes metrics of the log lines, and evaluates the alarms on them. */
export async function metrics(scene: Scene): Promise<void> {
  const resources = await stackResources(scene.place);
  const names = resources
    .filter(({ type }) => type === 'AWS::CloudWatch::Alarm')
    .map(({ physicalId }) => physicalId);
  const client = new CloudWatchClient(scene.place.aws);
  const alarms = await alarmsOf(client, names);
  demand(alarms.length === names.length, `of ${names.length} alarms ${alarms.length} are there`);
  const mute = alarms.filter(
    ({ AlarmActions = [], OKActions = [] }) => AlarmActions.length * OKActions.length === 0,
  );
  demand(mute.length === 0, `nobody is told of ${mute.map(({ AlarmName }) => AlarmName).join(', ')}`);
  scene.proven(`${alarms.length} alarms are there, and tell the topic when they go up and when it is over`);
  if (!scene.place.isAws) {
    scene.notProven('metrics of log lines', onlyAws.metrics);
    scene.notProven('alarms go up and down', onlyAws.alarms);
    return;
  }
  await sendStrangers(scene);
  await proveMetrics(scene, client);
  await proveAlarms(scene, client, names);
}

async function alarmsOf(client: CloudWatchClient, names: readonly string[]): Promise<MetricAlarm[]> {
  const alarms: MetricAlarm[] = [];
  // A question takes at most 100 names.
  for (let at = 0; at < names.length; at += 100) {
    let NextToken: string | undefined;
    do {
      const page: DescribeAlarmsCommandOutput = await client.send(
        new DescribeAlarmsCommand({ AlarmNames: names.slice(at, at + 100), MaxRecords: 100, NextToken }),
      );
      alarms.push(...(page.MetricAlarms ?? []));
      NextToken = page.NextToken;
    } while (NextToken);
  }
  return alarms;
}

/** Sums of metrics by name, of an answer of GetMetricData. */
export function sumsOf({
  MetricDataResults: results = [],
}: Pick<GetMetricDataCommandOutput, 'MetricDataResults'>): Map<string, number> {
  return new Map(
    results.map(({ Label: label = '', Values: values = [] }) => [
      label,
      values.reduce((sum, one) => sum + one, 0),
    ]),
  );
}

async function proveMetrics(scene: Scene, client: CloudWatchClient): Promise<void> {
  scene.waitFor('CloudWatch makes metrics of the log lines');
  const ask = () =>
    client.send(
      new GetMetricDataCommand({
        StartTime: scene.startedAt,
        EndTime: new Date(),
        MetricDataQueries: counted.map((MetricName, at) => ({
          Id: `m${at}`,
          Label: MetricName,
          MetricStat: {
            Metric: {
              ...{ Namespace: metricsNamespace(scene.place.stackName), MetricName },
              Dimensions: [{ Name: 'service', Value: metricsService }],
            },
            ...{ Period: 300, Stat: 'Sum' },
          },
        })),
      }),
    );
  let sums = new Map<string, number>();
  await until(`there are metrics ${counted.join(' and ')}`, { minutes: 10, everySeconds: 20 }, async () => {
    sums = sumsOf(await ask());
    return counted.every((name) => (sums.get(name) ?? 0) > 0);
  });
  const said = counted.map((name) => `${name} ${sums.get(name)}`).join(', ');
  scene.proven(`CloudWatch made metrics of log lines: ${said}`);
}

/** What the alarms' states say against the service; empty if nothing does. */
export function alarmProblems(alarms: readonly Pick<MetricAlarm, 'AlarmName' | 'StateValue'>[]): string[] {
  const stateOf = (part: string) => alarms.find(({ AlarmName: name }) => name?.includes(part))?.StateValue;
  return [
    ...(stateOf('SweepSilent') === 'OK'
      ? []
      : [`SweepSilent is ${stateOf('SweepSilent')}, and the sweep runs`]),
    ...(stateOf('Unauthenticated') === 'ALARM' ? [] : [`Unauthenticated is ${stateOf('Unauthenticated')}`]),
  ];
}

async function proveAlarms(scene: Scene, client: CloudWatchClient, names: readonly string[]): Promise<void> {
  scene.waitFor('the alarm Unauthenticated goes up, which takes five minutes');
  let problems: string[] = [];
  await until('alarms are as they should', { minutes: 15, everySeconds: 20 }, async () => {
    problems = alarmProblems(await alarmsOf(client, names));
    scene.waitFor(problems.join('; ') || 'alarms are as they should');
    return problems.length === 0;
  });
  scene.proven('the alarm on a hundred requests without a key went up, and that on a silent sweep is not up');
}
