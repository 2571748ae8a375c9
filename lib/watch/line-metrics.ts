import { Duration, Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { CountMetric, GaugeMetric } from '../../functions/domain/log-lines.ts';
import { metricsNamespace, metricsService } from '../access/access-statements.ts';

const gaugePeriod = Duration.minutes(5);

/** Metrics that the stack's log lines carry; functions/domain/log-lines.ts has the lines. */
export class LineMetrics {
  readonly #namespace: string;

  constructor(scope: Construct) {
    this.#namespace = metricsNamespace(Stack.of(scope).stackName);
  }

  /** Metric of how often a line was written. */
  count(metricName: CountMetric, period: Duration): Metric {
    return this.#metric(metricName, { period, statistic: 'Sum' });
  }

  /** Metric of a number of a line that the sweep writes, once for the service. */
  largest(metricName: GaugeMetric): Metric {
    return this.#metric(metricName, { period: gaugePeriod, statistic: 'Maximum' });
  }

  /** Metric of the days for which the poorest signer of a chain can pay at worst. */
  funds(chainId: number): Metric {
    return this.#ofChain('FundsDays', chainId, 'Minimum');
  }

  /** Metric of the age of the oldest queued operation of a chain, in seconds. */
  queueAge(chainId: number): Metric {
    return this.#ofChain('OldestQueued', chainId, 'Maximum');
  }

  /** Metric of the age of a chain's newest block, in seconds, while any work waits for the next. */
  headAge(chainId: number): Metric {
    return this.#ofChain('HeadAge', chainId, 'Maximum');
  }

  #ofChain(metricName: GaugeMetric, chainId: number, statistic: string): Metric {
    return this.#metric(metricName, { period: gaugePeriod, statistic }, { Chain: String(chainId) });
  }

  #metric(
    metricName: CountMetric | GaugeMetric,
    options: { period: Duration; statistic: string },
    dimensions: Record<string, string> = {},
  ): Metric {
    return new Metric({
      namespace: this.#namespace,
      metricName,
      dimensionsMap: { service: metricsService, ...dimensions },
      ...options,
    });
  }
}
