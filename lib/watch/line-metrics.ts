import { Duration } from 'aws-cdk-lib';
import { Metric, type MetricProps } from 'aws-cdk-lib/aws-cloudwatch';
import type { CountMetric, GaugeMetric } from '../../functions/domain/log-lines.ts';
import { metricsNamespace, metricsService } from '../access/access-statements.ts';

/** Metrics that the stack's log lines carry; functions/domain/log-lines.ts has the lines. */
export function lineMetrics(stackName: string) {
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
