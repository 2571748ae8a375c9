import { Duration, type Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  PeriodOverride,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Settings } from '../../functions/domain/settings.ts';
import { type Alarms, type Resources, serviceMetrics } from './alarms.ts';

const half = 12;
const whole = 24;

const sum = { period: Duration.minutes(5), statistic: 'Sum' };

/** Adds the dashboard: alarms, progress, stale chains, funds, throttles. */
export function addDashboard(
  stack: Stack,
  { all, lines }: Alarms,
  { settings: { chains }, ...resources }: Resources & { readonly settings: Settings },
): void {
  const { attest, sweep } = resources.workflow;
  const { apiThrottles, workflowThrottles, executionsThrottled, reads, writes, ...service } =
    serviceMetrics(resources);
  const ofChains = (metricOf: (chainId: number) => IMetric) => chains.map(({ chainId }) => metricOf(chainId));
  new Dashboard(stack, 'Dashboard', {
    dashboardName: stack.stackName,
    periodOverride: PeriodOverride.AUTO,
    widgets: [
      [
        new AlarmStatusWidget({
          title: 'Alarms (see docs/runbook.md)',
          alarms: [...all],
          width: whole,
          height: 6,
        }),
      ],
      [
        graph('Attestations: executions started, succeeded, failed', [
          attest.metricStarted(sum),
          attest.metricSucceeded(sum),
          attest.metricFailed(sum),
        ]),
        graph('Requests and 5xx responses', [resources.api.metricCount(sum), service.serverErrors]),
      ],
      [
        graph('Oldest queued operation of each chain, seconds', ofChains(lines.queueAge)),
        graph('Newest block of each chain while work waits, seconds', ofChains(lines.headAge)),
      ],
      [
        graph('Days for which the signers can pay at worst', ofChains(lines.funds)),
        graph('Oldest unfinished attestation, seconds', [lines.largest('OldestUnfinished')]),
      ],
      [
        graph('Sweeps, and their duration', [
          lines.count('SweepDone', Duration.minutes(5)),
          sweep.metricDuration({ period: Duration.minutes(5), statistic: 'Maximum' }),
        ]),
        graph('Attestations that a sweep checked', [lines.largest('SweptAttestations')]),
      ],
      [
        graph('Throttled by AWS', [apiThrottles, workflowThrottles, executionsThrottled, reads, writes]),
        graph("Concurrent executions of the Region's functions", [service.concurrency]),
      ],
      [
        new TextWidget({
          markdown:
            'A gauge without data means that the sweep does not run, or that the chain is unreachable. ' +
            'The newest block also has no data while no work waits.',
          width: whole,
          height: 1,
        }),
      ],
    ],
  });
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: half, height: 6 });
}
