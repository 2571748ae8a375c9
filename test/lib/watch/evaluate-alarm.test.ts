import { expect, test } from 'vitest';
import { type AlarmProperties, minutesUp } from './evaluate-alarm.ts';

const alarm: AlarmProperties = {
  ...{ Namespace: 'A/B', MetricName: 'M', Dimensions: [{ Name: 'service', Value: 's' }] },
  ...{ Statistic: 'Sum', Period: 60, EvaluationPeriods: 3, DatapointsToAlarm: 2 },
  ...{ Threshold: 2, ComparisonOperator: 'GreaterThanOrEqualToThreshold', TreatMissingData: 'notBreaching' },
};

/** A line with a value of the metric at a minute. */
const line = (minute: number, value: number, other: object = {}) =>
  JSON.stringify({
    ...{ service: 's', M: value, ...other },
    _aws: {
      Timestamp: minute * 60_000,
      CloudWatchMetrics: [
        { Namespace: 'A/B', Dimensions: [['service']], Metrics: [{ Name: 'M', Unit: 'Count' }] },
      ],
    },
  });

const up = (changed: Partial<AlarmProperties>, lines: readonly string[]) =>
  minutesUp({ ...alarm, ...changed }, lines, new Date(0), new Date(600_000)).map(
    (at) => at.getTime() / 60_000,
  );

test('is up while enough of the latest periods breach', () => {
  expect(up({}, [line(2, 1), line(2, 1), line(4, 2)])).toEqual([4]);
  expect(up({}, [line(2, 1), line(4, 2)])).toEqual([]);
  expect(up({ DatapointsToAlarm: 1 }, [line(4, 2)])).toEqual([4, 5, 6]);
});

test('takes the statistic and the comparison that it names', () => {
  const low = {
    ComparisonOperator: 'LessThanThreshold',
    DatapointsToAlarm: 1,
    EvaluationPeriods: 1,
  } as const;
  expect(up({ ...low, Statistic: 'Minimum' }, [line(4, 1), line(4, 5)])).toEqual([4]);
  expect(up({ ...low, Statistic: 'Maximum' }, [line(4, 1), line(4, 5)])).toEqual([]);
});

test('takes missing values as it is told', () => {
  const low = { ComparisonOperator: 'LessThanThreshold', DatapointsToAlarm: 3 } as const;
  const wellUntil5 = [0, 1, 2, 3, 4, 5].map((minute) => line(minute, 2));
  expect(up({ ...low, TreatMissingData: 'breaching' }, wellUntil5)).toEqual([8, 9, 10]);
  expect(up({ ...low, TreatMissingData: 'notBreaching' }, wellUntil5)).toEqual([]);
  const low3 = [1, 2, 3].map((minute) => line(minute, 1));
  expect(up({ ...low, TreatMissingData: 'ignore' }, low3)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
  expect(up({ ...low, TreatMissingData: 'notBreaching' }, low3)).toEqual([3]);
});

test.each([
  ['namespace', { Namespace: 'A/C' }],
  ['name', { MetricName: 'N' }],
  ['dimension', { Dimensions: [{ Name: 'service', Value: 't' }] }],
  ['set of dimensions', { Dimensions: [] }],
])('counts nothing of another %s', (_, other) => {
  expect(up({ ...other, DatapointsToAlarm: 1 }, [line(4, 2)])).toEqual([]);
});
