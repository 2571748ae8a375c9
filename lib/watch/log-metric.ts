import { Stack } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { ServiceFunction } from '../service-function.ts';

/** Metric of how often functions log one message: what is not an error of a function appears in no metric of Lambda. */
export class LogMetric extends Construct {
  readonly #name: { readonly namespace: string; readonly metricName: string };

  constructor(scope: Construct, id: string, watched: { functions: ServiceFunction[]; message: string }) {
    super(scope, id);
    // Two stacks of one account must not count each other's lines.
    this.#name = { namespace: `Imprimatur/${Stack.of(this).stackName}`, metricName: id };
    for (const logging of watched.functions) {
      new MetricFilter(this, logging.node.id, {
        logGroup: logging.logGroup,
        filterPattern: FilterPattern.stringValue('$.message', '=', watched.message),
        metricNamespace: this.#name.namespace,
        metricName: this.#name.metricName,
        metricValue: '1',
      });
    }
  }

  metric(options: MetricOptions): Metric {
    return new Metric({ ...this.#name, ...options });
  }
}
