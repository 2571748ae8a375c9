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

/** Metrics that the stack's log lines carry; functions/domain/log-lines.ts has the lines. */
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
    /** Metric of how often a line was written. */
    count: (metricName: CountMetric, period: Duration) => metric({ metricName, period, statistic: 'Sum' }),
    /** Metric of a number of a line that the sweep writes, once for the service. */
    largest: (metricName: GaugeMetric) => gauge(metricName, 'Maximum'),
    /** Metric of the days for which the poorest signer of a chain can pay at worst. */
    funds: ofChain('FundsDays', 'Minimum'),
    /** Metric of the age of the oldest queued operation of a chain, in seconds. */
    queueAge: ofChain('OldestQueued', 'Maximum'),
    /** Metric of the age of a chain's newest block, in seconds, while any work waits for the next. */
    headAge: ofChain('HeadAge', 'Maximum'),
  };
}

interface AlarmsProps extends Resources {
  readonly settings: Settings;
  /** Email and https addresses that are told of alarms; each is asked first whether it wants to be. */
  readonly addresses: readonly string[];
  /** Leaves out the alarms on sums of metrics, which emulators do not have. */
  readonly emulator: boolean;
}

/** Alarms that need an operator. Each description says what it means, what to do first, and where to read on. */
export class Alarms extends Construct {
  /** All alarms notify it. CloudWatch may publish by SNS's default policy, which one of our own would replace. */
  readonly topic = new Topic(this, 'Topic', { displayName: 'Alarms of Imprimatur' });
  readonly lines = lineMetrics(Stack.of(this).stackName);
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    acknowledge(this.topic, {
      SNS3: 'Only services of AWS publish, and they use TLS. A policy would replace the default by which alarms reach the topic.',
    });
    for (const address of props.addresses)
      this.topic.addSubscription(
        address.startsWith('https://') ? new UrlSubscription(address) : new EmailSubscription(address),
      );
    const alarms: Record<string, AlarmedMetric> = {
      // The one alarm for which silence is the fault: all others of our lines are silent when the sweep is.
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

  /** The alarm of that name. */
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
    // Who was called for it hears that it is over.
    alarm.addOkAction(action);
    return alarm;
  }

  /** A counter has a value only when its line is written, so what is missing is no fault. */
  private lineAlarms(): Record<string, AlarmedMetric> {
    return Object.fromEntries(
      Object.entries(lineAlarms).map(([name, rule]) => [
        name,
        { ...rule, metric: this.lines.count(name as keyof typeof lineAlarms, Duration.minutes(5)) },
      ]),
    );
  }

  /** A gauge that is missing keeps its alarm as it is: a chain that cannot be asked does not say that its signer was paid. */
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
 * Notifies of calls which end a key of the account or change who signs with it: keys of `admin signer rotate` are not known here, so
 * it is of all. Deletion can be cancelled for seven days. CloudTrail tells EventBridge only where a trail records management events.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-service-event-cloudtrail.html
 */
export class KeyWatch extends Rule {
  constructor(scope: Construct, id: string, topic: ITopic) {
    super(scope, id, {
      description: 'A key of the account is to be deleted, was disabled or replicated, or has another policy',
      eventPattern: {
        source: ['aws.kms'],
        detailType: ['AWS API Call via CloudTrail'],
        detail: {
          eventSource: ['kms.amazonaws.com'],
          // A replica has a policy of its own.
          eventName: ['ScheduleKeyDeletion', 'DisableKey', 'PutKeyPolicy', 'ReplicateKey'],
        },
      },
      // With a role: a policy of the topic for EventBridge would replace the default one, by which alarms reach it.
      targets: [new SnsTopic(topic, { authorizeUsingRole: true })],
    });
  }
}
