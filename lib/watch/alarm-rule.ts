import type { AlarmProps, IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';

/** When an alarm on a metric is up, and what its description says. */
export interface AlarmRule {
  readonly threshold: number;
  /** Periods that are looked at. */
  readonly periods: number;
  /** Number of those that must be above the threshold; without it, all. */
  readonly datapoints?: number;
  /** What it means: the cause, and what is at stake. */
  readonly means: string;
  /** What to do first. */
  readonly first: string;
}

/** Alarm with its metric; what is missing counts as within the threshold unless it says otherwise. */
export interface AlarmedMetric extends AlarmRule, Partial<Pick<AlarmProps, 'comparisonOperator'>> {
  readonly metric: IMetric;
  readonly missing?: TreatMissingData;
  /** Section of docs/runbook.md; the alarm's name without it. */
  readonly section?: string;
}
