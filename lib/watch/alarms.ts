import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  MathExpression,
  Metric,
  type MetricOptions,
  type MetricProps,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { CountMetric, GaugeMetric } from '../../functions/domain/log-lines.ts';
import type { Settings } from '../../functions/domain/settings.ts';
import { metricsNamespace, metricsService } from '../access/access-statements.ts';
import { acknowledge } from '../acknowledge.ts';
import type { Api } from '../api/api.ts';
import type { ServiceFunction } from '../service-function.ts';
import type { Tables } from '../storage/tables.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { Workflow } from '../workflow/workflow.ts';
import { type AlarmedMetric, descriptionOf, lineAlarms } from './alarm-rules.ts';

export interface Resources {
  readonly api: Api;
  readonly workflow: Workflow;
  readonly webhooks: Webhooks;
  readonly tables: Tables;
}

const sum: MetricOptions = { period: Duration.minutes(5), statistic: 'Sum' };

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
  functions.map((each) => each.metricThrottles(sum));

/** Sum of metrics. CloudWatch allows at most ten in an alarm. */
function total(name: string, metrics: readonly Metric[]): MathExpression {
  const named = metrics.map((metric, position) => [`${name}${position}`, metric] as const);
  return new MathExpression({
    expression: `SUM([${named.map(([id]) => id).join(',')}])`,
    usingMetrics: Object.fromEntries(named),
    period: Duration.minutes(5),
  });
}

/** Alarms on AWS's own metrics. Missing data means no failures or no load, so it is not a failure. */
function serviceAlarms(resources: Resources): Record<string, AlarmedMetric> {
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
      // Failed batches are retried at growing intervals.
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

/** Metrics of log lines; see functions/domain/log-lines.ts. */
function lineMetrics(stackName: string) {
  const metric = (props: Omit<MetricProps, 'namespace'>, dimensions: Record<string, string> = {}) =>
    new Metric({
      namespace: metricsNamespace(stackName),
      dimensionsMap: { service: metricsService, ...dimensions },
      ...props,
    });
  const gauge = (metricName: GaugeMetric, statistic: string, dimensions?: Record<string, string>) =>
    metric({ metricName, statistic, period: Duration.minutes(5) }, dimensions);
  const ofChain = (metricName: GaugeMetric, statistic: string) => (chainId: number) =>
    gauge(metricName, statistic, { Chain: String(chainId) });
  return {
    /** Number of lines. */
    count: (metricName: CountMetric, period: Duration) => metric({ metricName, period, statistic: 'Sum' }),
    /** Largest value in a line of the sweep. */
    largest: (metricName: GaugeMetric) => gauge(metricName, 'Maximum'),
    /** Days for which a chain's signer with the lowest balance can pay in the worst case. */
    funds: ofChain('FundsDays', 'Minimum'),
    /** Age of a chain's oldest queued operation, in seconds. */
    queueAge: ofChain('OldestQueued', 'Maximum'),
    /** Age of a chain's newest block, in seconds, while work waits for the next one. */
    headAge: ofChain('HeadAge', 'Maximum'),
  };
}

interface AlarmsProps extends Resources {
  readonly settings: Settings;
  /** Email and https addresses to notify. Each has to confirm its subscription. */
  readonly addresses: readonly string[];
  /** Leaves out the alarms on sums of metrics, which MiniStack does not have. */
  readonly emulator: boolean;
}

/** Alarms for operators, each with a description from the runbook. */
export class Alarms extends Construct {
  /** All alarms notify it. SNS's default policy lets CloudWatch publish. */
  readonly topic = new Topic(this, 'Topic', { displayName: 'Alarms of Imprimatur' });
  readonly lines = lineMetrics(Stack.of(this).stackName);
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    acknowledge(this.topic, {
      SNS3: 'Only services of AWS publish, and they use TLS. A policy would replace the default one, which alarms need.',
    });
    for (const address of props.addresses)
      this.topic.addSubscription(
        address.startsWith('https://') ? new UrlSubscription(address) : new EmailSubscription(address),
      );
    const alarms: Record<string, AlarmedMetric> = {
      // Missing data is a failure only here: without the sweep, the other alarms on its log lines get no data.
      SweepSilent: {
        metric: this.lines.count('SweepDone', Duration.minutes(1)),
        ...{ threshold: 1, periods: 5, comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD },
        missing: TreatMissingData.BREACHING,
      },
      ...this.lineAlarms(),
      ...this.gaugeAlarms(props.settings),
      ...serviceAlarms(props),
    };
    this.all = Object.entries(alarms)
      .filter(([, { metric }]) => !props.emulator || !(metric instanceof MathExpression))
      .map(([name, alarm]) => this.add(name, alarm));
  }

  named(name: string): Alarm {
    return this.node.findChild(name) as Alarm;
  }

  private add(name: string, alarmed: AlarmedMetric): Alarm {
    const { metric, threshold, periods, datapoints = periods, section = name } = alarmed;
    const { missing = TreatMissingData.NOT_BREACHING, comparisonOperator } = alarmed;
    const alarm = new Alarm(this, name, {
      metric,
      threshold,
      ...(comparisonOperator && { comparisonOperator }),
      evaluationPeriods: periods,
      datapointsToAlarm: datapoints,
      alarmDescription: descriptionOf(section),
      treatMissingData: missing,
    });
    const action = new SnsAction(this.topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    return alarm;
  }

  /** A counter has a value only when its line is written, so missing data is not a failure. */
  private lineAlarms(): Record<string, AlarmedMetric> {
    return Object.fromEntries(
      Object.entries(lineAlarms).map(([name, rule]) => [
        name,
        { ...rule, metric: this.lines.count(name as keyof typeof lineAlarms, Duration.minutes(5)) },
      ]),
    );
  }

  /** Missing data keeps a gauge's alarm unchanged: an unreachable chain does not show that its signer was funded. */
  private gaugeAlarms({ chains }: Settings): Record<string, AlarmedMetric> {
    const gauges = chains.map(({ chainId }) => ({
      [`FundsLow${chainId}`]: {
        metric: this.lines.funds(chainId),
        ...{ threshold: 1, periods: 3, comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD },
        missing: TreatMissingData.IGNORE,
        section: 'FundsLow',
      },
      [`QueueOld${chainId}`]: {
        metric: this.lines.queueAge(chainId),
        ...{ threshold: 1_800, periods: 3, comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD },
        missing: TreatMissingData.IGNORE,
        section: 'QueueOld',
      },
    }));
    return Object.assign({}, ...gauges);
  }
}

/**
 * Notifies of calls that disable or delete a key of the account, or change who signs with it. It covers all keys, because the stack
 * does not know those of `admin signer rotate`. EventBridge gets these events only if a trail of CloudTrail records management events.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-service-event-cloudtrail.html
 */
export class KeyWatch extends Rule {
  constructor(scope: Construct, id: string, topic: ITopic) {
    super(scope, id, {
      description:
        'A key of the account was disabled, replicated or scheduled for deletion, or its policy changed',
      eventPattern: {
        source: ['aws.kms'],
        detailType: ['AWS API Call via CloudTrail'],
        detail: {
          eventSource: ['kms.amazonaws.com'],
          // A replica has its own policy.
          eventName: ['ScheduleKeyDeletion', 'DisableKey', 'PutKeyPolicy', 'ReplicateKey'],
        },
      },
      // A role, because a topic policy for EventBridge would replace the default one, which alarms need.
      targets: [new SnsTopic(topic, { authorizeUsingRole: true })],
    });
  }
}
