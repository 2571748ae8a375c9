/** Properties of an alarm on one metric, as the template has them. */
export interface AlarmProperties {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
  readonly Statistic: 'Sum' | 'Minimum' | 'Maximum';
  /** Seconds. */
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
export function valuesIn(lines: readonly string[], alarm: AlarmProperties): Datum[] {
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
 * Evaluates an alarm every minute, as CloudWatch does, without the periods beyond the ones asked for that CloudWatch reads
 * when some are missing: they may put off a change by as many minutes.
 *
 * @returns the minutes at which the alarm is up
 */
export function minutesUp(alarm: AlarmProperties, lines: readonly string[], from: Date, to: Date): Date[] {
  const data = valuesIn(lines, alarm);
  const up: Date[] = [];
  let isUp = false;
  for (let at = from.getTime(); at <= to.getTime(); at += 60_000) {
    const seen = breaches(alarm, data, at);
    const breaching = seen.filter((one) => one ?? alarm.TreatMissingData === 'breaching').length;
    const isUndecided = alarm.TreatMissingData === 'ignore' && seen.includes(undefined);
    if (breaching >= alarm.DatapointsToAlarm) isUp = true;
    else if (!isUndecided) isUp = false;
    if (isUp) up.push(new Date(at));
  }
  return up;
}
