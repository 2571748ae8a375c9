import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Api } from '../api/api.ts';
import type { ServiceFunction } from '../service-function.ts';
import type { Tables } from '../storage/tables.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { Workflow } from '../workflow/workflow.ts';
import type { AlarmedMetric } from './alarm-rules.ts';

/** Resources of the stack whose own metrics, AWS's, are watched. */
export interface Resources {
  readonly api: Api;
  readonly workflow: Workflow;
  readonly webhooks: Webhooks;
  readonly tables: Tables;
}

const sum: MetricOptions = { period: Duration.minutes(5), statistic: 'Sum' };

/** Metrics that alarms of AWS's own and the dashboard share. */
export function serviceMetrics({ api, workflow, webhooks, tables }: Resources) {
  return {
    apiThrottles: total('api', throttlesOf(api.functions)),
    workflowThrottles: total(
      'step',
      throttlesOf([...workflow.functions, webhooks.queueDeliveries, webhooks.sendDeliveries]),
    ),
    executionsThrottled: total('machine', [
      workflow.attest.metricThrottled(sum),
      workflow.lane.metricThrottled(sum),
    ]),
    reads: total('read', tables.metrics('ReadThrottleEvents', sum)),
    writes: total('write', tables.metrics('WriteThrottleEvents', sum)),
    concurrency: new Metric({
      ...{ namespace: 'AWS/Lambda', metricName: 'ClaimedAccountConcurrency' },
      ...{ period: Duration.minutes(5), statistic: 'Maximum' },
    }),
    serverErrors: api.metricServerError(sum),
  };
}

const throttlesOf = (functions: readonly ServiceFunction[]) =>
  functions.map((one) => one.metricThrottles(sum));

/** Sum of metrics; one that has no value counts nothing. CloudWatch takes at most ten in an alarm. */
function total(name: string, metrics: readonly Metric[]): MathExpression {
  const named = metrics.map((metric, position) => [`${name}${position}`, metric] as const);
  return new MathExpression({
    expression: `SUM([${named.map(([id]) => id).join(',')}])`,
    usingMetrics: Object.fromEntries(named),
    period: Duration.minutes(5),
  });
}

/** Alarms on AWS's own metrics. AWS counts what fails, so a metric without values is no fault. */
export function serviceAlarms(resources: Resources): Record<string, AlarmedMetric> {
  const { workflow, webhooks } = resources;
  const { queueDeliveries, sendDeliveries } = webhooks;
  const metrics = serviceMetrics(resources);
  return {
    SweepErrors: { metric: workflow.sweep.metricErrors(sum), threshold: 2, periods: 1 },
    AdvanceLaneErrors: { metric: workflow.advanceLane.metricErrors(sum), threshold: 3, periods: 2 },
    AttestFailed: { metric: workflow.attest.metricFailed(sum), threshold: 1, periods: 1 },
    LaneFailed: { metric: workflow.lane.metricFailed(sum), threshold: 1, periods: 1 },
    QueueDeliveriesErrors: { metric: queueDeliveries.metricErrors(sum), threshold: 3, periods: 2 },
    QueueDeliveriesLate: {
      metric: queueDeliveries.metric('IteratorAge', { ...sum, statistic: 'Maximum' }),
      // What fails is tried again at longer and longer intervals.
      ...{ threshold: 1_800_000, periods: 3, datapoints: 1 },
    },
    SendDeliveriesErrors: { metric: sendDeliveries.metricErrors(sum), threshold: 3, periods: 2 },
    ApiErrors: { metric: metrics.serverErrors, threshold: 5, periods: 1 },
    ApiThrottled: { metric: metrics.apiThrottles, threshold: 1, periods: 2 },
    WorkflowThrottled: { metric: metrics.workflowThrottles, threshold: 1, periods: 2 },
    ExecutionsThrottled: { metric: metrics.executionsThrottled, threshold: 1, periods: 2 },
    TableReadsThrottled: { metric: metrics.reads, threshold: 10, periods: 2 },
    TableWritesThrottled: { metric: metrics.writes, threshold: 10, periods: 2 },
    ConcurrencyHigh: { metric: metrics.concurrency, threshold: 800, periods: 2 },
  };
}
