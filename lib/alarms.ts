import { Duration } from 'aws-cdk-lib';
import { Alarm, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Api } from './api.ts';
import type { Workflow } from './workflow.ts';

interface Watch {
  readonly metric: Metric;
  readonly threshold: number;
  /** Consecutive periods of five minutes. */
  readonly periods: number;
  readonly why: string;
}

/** What an operator has to look at; each description says what is at stake. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, watched: { api: Api; workflow: Workflow }) {
    super(scope, id);
    for (const [name, { metric, threshold, periods, why }] of Object.entries(watches(watched))) {
      new Alarm(this, name, {
        metric,
        threshold,
        evaluationPeriods: periods,
        alarmDescription: why,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
    }
  }
}

function watches({ api, workflow }: { api: Api; workflow: Workflow }): Record<string, Watch> {
  const options = { period: Duration.minutes(5), statistic: 'Sum' };
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
      why: 'A lane that does not advance holds up every attestation of its chain: check its providers, funds and key.',
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
    ApiErrors: {
      metric: api.metricServerError(options),
      threshold: 5,
      periods: 1,
      why: 'Publishers get 5xx answers: they retry safely, but nothing new is accepted.',
    },
  };
}
