import { Duration } from 'aws-cdk-lib';
import { Alarm, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Api } from '../api/api.ts';
import type { Workflow } from '../workflow/workflow.ts';
import { laneLines } from './lane-lines.ts';
import { LogMetric } from './log-metric.ts';

interface Watch {
  readonly metric: Metric;
  readonly threshold: number;
  /** Periods of five minutes that are looked at. */
  readonly periods: number;
  /** Number of those that must be above the threshold; without it, all. */
  readonly datapoints?: number;
  readonly why: string;
}

interface Watched {
  readonly api: Api;
  readonly workflow: Workflow;
}

const options = { period: Duration.minutes(5), statistic: 'Sum' };

/** Alarms that need an operator; each description says what is at stake. */
export class Alarms extends Construct {
  /**
   * Topic that all alarms notify. CloudWatch may publish to it by SNS's default policy, which one of our own would
   * replace.
   */
  readonly topic = new Topic(this, 'Topic', { displayName: 'Alarms of Imprimatur' });

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);
    const action = new SnsAction(this.topic);
    for (const [name, watch] of Object.entries(this.watches(watched))) {
      const { metric, threshold, periods, datapoints = periods, why } = watch;
      new Alarm(this, name, {
        metric,
        threshold,
        evaluationPeriods: periods,
        datapointsToAlarm: datapoints,
        alarmDescription: why,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }).addAlarmAction(action);
    }
  }

  private watches({ api, workflow }: Watched): Record<string, Watch> {
    return {
      ...functionWatches(workflow),
      ...this.laneWatches(workflow),
      ...this.budgetWatches(api),
      ...apiWatches(api),
    };
  }

  private laneWatches({ commit, reveal, advanceLane, sweep }: Workflow): Record<string, Watch> {
    const functions = [commit, reveal, advanceLane, sweep];
    return Object.fromEntries(
      Object.entries(laneLines).map(([name, { message, ...watch }]) => [
        name,
        { ...watch, metric: new LogMetric(this, `${name}Lines`, { functions, message }).metric(options) },
      ]),
    );
  }

  private budgetWatches({ accepting: functions }: Api): Record<string, Watch> {
    const lines = { functions, message: 'organisation near its fee budget' };
    return {
      OrganizationNearBudget: {
        metric: new LogMetric(this, 'OrganizationNearBudgetLines', lines).metric(options),
        threshold: 1,
        periods: 1,
        why: 'An organisation has used four fifths of its fee budget of the day on a chain: when it is used up, its requests are refused until midnight UTC.',
      },
    };
  }
}

function functionWatches(workflow: Workflow): Record<string, Watch> {
  return {
    SweepErrors: {
      metric: workflow.sweep.metricErrors(options),
      threshold: 2,
      periods: 1,
      why: 'The sweep restarts what a crash left: while it fails, lost attestations wait.',
    },
    AdvanceLaneErrors: {
      metric: workflow.advanceLane.metricErrors(options),
      threshold: 3,
      periods: 2,
      why: 'A lane that does not advance holds up every attestation of its chain: check its providers, the tables and the key.',
    },
    AttestFailed: {
      metric: workflow.attest.metricFailed(options),
      threshold: 1,
      periods: 1,
      why: 'An attestation whose failure is expected ends through Fail: this one broke, and the sweep starts it again.',
    },
    LaneFailed: {
      metric: workflow.lane.metricFailed(options),
      threshold: 1,
      periods: 1,
      why: 'A lane ran out of retries or history: until the sweep restarts it, its chain stands still.',
    },
  };
}

function apiWatches(api: Api): Record<string, Watch> {
  return {
    ApiErrors: {
      metric: api.metricServerError(options),
      threshold: 5,
      periods: 1,
      why: 'Publishers get 5xx answers: they retry safely, but nothing new is accepted.',
    },
  };
}
