import { Metrics } from '@aws-lambda-powertools/metrics';
import { describe, expect, test } from 'vitest';
import { jsonLog } from '../../../functions/adapters/aws/cloudwatch-log.ts';
import { alice, bob } from '../../fakes/world/world.ts';
import { environments, synthesize } from '../synthesize.ts';
import { healthyService, troubles } from './broken-services.ts';

interface AlarmProperties {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
  readonly Statistic: 'Sum' | 'Minimum' | 'Maximum';
  readonly Period: number;
  readonly EvaluationPeriods: number;
  readonly DatapointsToAlarm: number;
  readonly Threshold: number;
  readonly ComparisonOperator: keyof typeof comparisons;
  readonly TreatMissingData: 'breaching' | 'notBreaching' | 'ignore';
}

const comparisons = {
  GreaterThanOrEqualToThreshold: (value: number, threshold: number) => value >= threshold,
  GreaterThanThreshold: (value: number, threshold: number) => value > threshold,
  LessThanThreshold: (value: number, threshold: number) => value < threshold,
};

/** Value of a metric at a time, in milliseconds since 1970. */
interface Datum {
  readonly at: number;
  readonly value: number;
}

interface Directive {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
}

/** Values of the alarm's metric in log lines, as CloudWatch reads the embedded metric format. */
function valuesIn(lines: readonly string[], alarm: AlarmProperties): Datum[] {
  return lines.flatMap((line) => {
    const { _aws: embedded, ...members } = JSON.parse(line);
    const directives: readonly Directive[] = embedded?.CloudWatchMetrics ?? [];
    return directives
      .filter((directive) => isOfMetric(directive, members, alarm))
      .map(() => ({ at: Number(embedded.Timestamp), value: Number(members[alarm.MetricName]) }));
  });
}

function isOfMetric(directive: Directive, members: Record<string, unknown>, alarm: AlarmProperties): boolean {
  const wanted = (alarm.Dimensions ?? []).map(({ Name, Value }) => `${Name}=${Value}`).sort();
  const sets = directive.Dimensions.map((names) => names.map((name) => `${name}=${members[name]}`).sort());
  return (
    directive.Namespace === alarm.Namespace &&
    directive.Metrics.some(({ Name }) => Name === alarm.MetricName) &&
    sets.some((set) => set.join() === wanted.join())
  );
}

const statistics = {
  Sum: (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0),
  Minimum: (values: readonly number[]) => Math.min(...values),
  Maximum: (values: readonly number[]) => Math.max(...values),
};

/** Whether each of the latest periods breaches; `undefined` for one without values. */
function breaches(alarm: AlarmProperties, data: readonly Datum[], at: number): (boolean | undefined)[] {
  const length = alarm.Period * 1000;
  return Array.from({ length: alarm.EvaluationPeriods }, (_, back) => {
    const end = at - back * length;
    const values = data
      .filter((datum) => datum.at > end - length && datum.at <= end)
      .map(({ value }) => value);
    if (values.length === 0) return undefined;
    return comparisons[alarm.ComparisonOperator](statistics[alarm.Statistic](values), alarm.Threshold);
  });
}

/**
 * Evaluates an alarm every minute. CloudWatch also reads earlier periods if some are missing, which may delay a change.
 * @returns the minutes at which the alarm fires
 */
function minutesFiring(alarm: AlarmProperties, lines: readonly string[], from: Date, to: Date): Date[] {
  const data = valuesIn(lines, alarm);
  const firing: Date[] = [];
  let isFiring = false;
  for (let at = from.getTime(); at <= to.getTime(); at += 60_000) {
    const seen = breaches(alarm, data, at);
    const breaching = seen.filter((one) => one ?? alarm.TreatMissingData === 'breaching').length;
    const isUndecided = alarm.TreatMissingData === 'ignore' && seen.includes(undefined);
    if (breaching >= alarm.DatapointsToAlarm) isFiring = true;
    else if (!isUndecided) isFiring = false;
    if (isFiring) firing.push(new Date(at));
  }
  return firing;
}

const template = synthesize();

/** Alarms of the template by their ids: `AlarmsLanePaused0A1B2C3D` → `LanePaused`. */
const alarms = Object.fromEntries(
  Object.entries(template.findResources('AWS::CloudWatch::Alarm')).map(([id, { Properties }]) => [
    id.slice('Alarms'.length, -8),
    Properties as AlarmProperties,
  ]),
);

const isOurs = ({ Namespace }: AlarmProperties) => Namespace?.startsWith('Imprimatur/');
const ours = Object.entries(alarms).filter(([, alarm]) => isOurs(alarm));

function templateLog(lines: string[]) {
  const { POWERTOOLS_METRICS_NAMESPACE, POWERTOOLS_SERVICE_NAME } = environments(template).Sweep ?? {};
  const metrics = new Metrics({
    namespace: String(POWERTOOLS_METRICS_NAMESPACE),
    serviceName: String(POWERTOOLS_SERVICE_NAME),
  });
  return (now: () => Date) => jsonLog((line) => lines.push(line), now, metrics);
}

/** Milliseconds until each period that `SweepSilent` evaluates has a heartbeat. */
const warmUp = 6 * 60_000;

describe.each(ours)('%s', (name, alarm) => {
  test('fires while the service fails, and not before', async () => {
    const trouble = troubles[name];
    if (!trouble) throw new Error(`nothing breaks the service so that ${name} fires`);
    const lines: string[] = [];
    const service = await healthyService({ ...trouble.given, createLog: templateLog(lines) });
    const { clock } = service.world;
    const healthyUntil = clock.now();
    const from = new Date(healthyUntil.getTime() - 600_000 + warmUp);
    expect(minutesFiring(alarm, lines, from, healthyUntil)).toEqual([]);
    await trouble.breaks(service);
    await service.queue.until(async () => false, (trouble.minutes ?? 3) * 60);
    expect(minutesFiring(alarm, lines, from, clock.now())).not.toEqual([]);
  });
});

test('no alarm fires while the service is healthy', async () => {
  const lines: string[] = [];
  const service = await healthyService({ createLog: templateLog(lines) });
  const { clock } = service.world;
  const from = new Date(clock.now().getTime() - 600_000 + warmUp);
  for (let part = 0; part < 6; part++) {
    await service.post(alice, `article ${part}`);
    await service.post(bob, `article ${part}`);
    await service.queue.until(async () => false, 600);
  }
  expect(lines.length).toBeGreaterThan(200);
  const firing = ours.filter(([, alarm]) => minutesFiring(alarm, lines, from, clock.now()).length > 0);
  expect(firing.map(([name]) => name)).toEqual([]);
});

test('every failure has an alarm', () => {
  expect(Object.keys(troubles).sort()).toEqual(ours.map(([name]) => name).sort());
});

test('`SweepSilent` fires when no sweep runs, and ends with the next sweep', async () => {
  const alarm = alarms.SweepSilent as AlarmProperties;
  const lines: string[] = [];
  const service = await healthyService({ createLog: templateLog(lines) });
  const last = Math.max(...valuesIn(lines, alarm).map(({ at }) => at));
  const end = new Date(last + 20 * 60_000);
  const silent = minutesFiring(alarm, lines, new Date(last), end);
  expect(silent[0]?.getTime()).toBe(last + 5 * 60_000);
  service.world.clock.moveTo(end);
  await service.queue.until(async () => false, 60);
  expect(minutesFiring(alarm, lines, service.world.clock.now(), service.world.clock.now())).toEqual([]);
});
