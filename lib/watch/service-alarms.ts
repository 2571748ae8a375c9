import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Api } from '../api/api.ts';
import type { Tables } from '../storage/tables.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { Workflow } from '../workflow/workflow.ts';
import type { AlarmedMetric } from './alarm-rule.ts';

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
    apiThrottles: total(
      'api',
      api.functions.map((one) => one.metricThrottles(sum)),
    ),
    workflowThrottles: total(
      'step',
      [...workflow.functions, webhooks.queueDeliveries, webhooks.sendDeliveries].map((one) =>
        one.metricThrottles(sum),
      ),
    ),
    executionsThrottled: total(
      'machine',
      [workflow.attest, workflow.lane].map((one) => one.metricThrottled(sum)),
    ),
    reads: total('read', tables.metrics('ReadThrottleEvents', sum)),
    writes: total('write', tables.metrics('WriteThrottleEvents', sum)),
    concurrency: new Metric({
      ...{ namespace: 'AWS/Lambda', metricName: 'ClaimedAccountConcurrency' },
      ...{ period: Duration.minutes(5), statistic: 'Maximum' },
    }),
    serverErrors: api.metricServerError(sum),
  };
}

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
  const metrics = serviceMetrics(resources);
  return { ...failureAlarms(resources, metrics), ...limitAlarms(metrics) };
}

type ServiceMetrics = ReturnType<typeof serviceMetrics>;

/** Alarms on what fails. */
function failureAlarms(
  { workflow, webhooks }: Resources,
  metrics: Pick<ServiceMetrics, 'serverErrors'>,
): Record<string, AlarmedMetric> {
  return {
    SweepErrors: {
      metric: workflow.sweep.metricErrors(sum),
      ...{ threshold: 2, periods: 1 },
      means: 'The sweep restarts what a crash left: while it fails or times out, lost attestations wait.',
      first: "Read the sweep's log.",
    },
    AdvanceLaneErrors: {
      metric: workflow.advanceLane.metricErrors(sum),
      ...{ threshold: 3, periods: 2 },
      means: 'A lane that does not advance holds up every attestation of its chain.',
      first: 'Check its providers, the tables and the key: the log of AdvanceLane names the cause.',
    },
    AttestFailed: {
      metric: workflow.attest.metricFailed(sum),
      ...{ threshold: 1, periods: 1 },
      means:
        'An attestation whose failure is expected ends through Fail: this one broke, and the sweep starts it again.',
      first: 'Read the log under the name of the execution.',
    },
    LaneFailed: {
      metric: workflow.lane.metricFailed(sum),
      ...{ threshold: 1, periods: 1 },
      means:
        'A lane ran out of retries or history: until the sweep restarts it, within a minute, its chain stands still.',
      first: 'Read the log of AdvanceLane.',
    },
    QueueDeliveriesErrors: {
      metric: webhooks.queueDeliveries.metricErrors(sum),
      ...{ threshold: 3, periods: 2 },
      means: 'Events for webhooks cannot be queued: they come again for 20 hours, and are passed over then.',
      first: 'Read the log of QueueDeliveries: the store or a permission.',
    },
    QueueDeliveriesLate: {
      metric: webhooks.queueDeliveries.metric('IteratorAge', { ...sum, statistic: 'Maximum' }),
      // What fails is tried again at longer and longer intervals.
      ...{ threshold: 1_800_000, periods: 3, datapoints: 1 },
      means:
        "Events for webhooks are queued half an hour late or later: the attestations' stream is read too slowly, or what it shows fails; after 20 hours it is passed over.",
      first: 'Read the log of QueueDeliveries; without errors there, look at its throttles.',
    },
    SendDeliveriesErrors: {
      metric: webhooks.sendDeliveries.metricErrors(sum),
      ...{ threshold: 3, periods: 2 },
      means: 'What is due to webhooks cannot be read or recorded: receivers hear late, or twice.',
      first: 'Read the log of SendDeliveries: the store or a permission.',
    },
    ApiErrors: {
      metric: metrics.serverErrors,
      ...{ threshold: 5, periods: 1 },
      means: 'Publishers get 5xx answers: they retry safely, but nothing new is accepted.',
      first: "Read the log of the route's function.",
    },
  };
}

/** Alarms on what AWS refuses or holds back. */
function limitAlarms(metrics: ServiceMetrics): Record<string, AlarmedMetric> {
  return {
    ApiThrottled: {
      metric: metrics.apiThrottles,
      ...{ threshold: 1, periods: 2 },
      means:
        'Lambda refuses to run functions of the API: publishers get errors that pass, and have to retry.',
      first: "Compare the Region's concurrent executions with the account's quota.",
    },
    WorkflowThrottled: {
      metric: metrics.workflowThrottles,
      ...{ threshold: 1, periods: 2 },
      means:
        'Lambda refuses to run steps, lanes, the sweep or what sends to webhooks: all take longer, nothing is lost.',
      first: "Compare the Region's concurrent executions with the account's quota.",
    },
    ExecutionsThrottled: {
      metric: metrics.executionsThrottled,
      ...{ threshold: 1, periods: 2 },
      means:
        "Step Functions hold back state transitions, above the account's quota: attestations take longer.",
      first: 'Ask for a higher quota of state transitions, which new accounts have a low one of.',
    },
    TableReadsThrottled: {
      metric: metrics.reads,
      ...{ threshold: 10, periods: 2 },
      means: 'DynamoDB refuses reads of a table or an index: requests and steps try again, and take longer.',
      first: 'Look which table it is, and whether one partition is hot.',
    },
    TableWritesThrottled: {
      metric: metrics.writes,
      ...{ threshold: 10, periods: 2 },
      means: 'DynamoDB refuses writes to a table or an index: requests and steps try again, and take longer.',
      first: 'Look which table it is, and whether one partition is hot.',
    },
    ConcurrencyHigh: {
      metric: metrics.concurrency,
      ...{ threshold: 800, periods: 2 },
      means:
        "Functions of the Region run 800 at once, four fifths of an account's usual quota of 1,000: beyond it Lambda refuses.",
      first: 'Find the function that takes them, of this stack or another, and ask for a higher quota.',
    },
  };
}
