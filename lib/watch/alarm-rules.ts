import { readFileSync } from 'node:fs';
import type { AlarmProps, IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { CountMetric } from '../../functions/domain/log-lines.ts';

/** Condition on which an alarm fires. */
export interface AlarmRule {
  readonly threshold: number;
  readonly periods: number;
  /** Number of breaching periods that fire the alarm (default: all). */
  readonly datapoints?: number;
}

/** Alarm with its metric. By default, missing data is within the threshold. */
export interface AlarmedMetric extends AlarmRule, Partial<Pick<AlarmProps, 'comparisonOperator'>> {
  readonly metric: IMetric;
  readonly missing?: TreatMissingData;
  /** Section of docs/runbook.md (default: the alarm's name). */
  readonly section?: string;
}

/** Any line within five minutes. */
const once = { threshold: 1, periods: 1 };

/** Lines for ten minutes. The next attempt resolves a single failure. */
const lasting = { threshold: 3, periods: 2 };

/** Alarms on metrics that count log lines, by the metrics' names. SweepDone is a heartbeat: its absence raises an alarm. */
export const lineAlarms: Readonly<Record<Exclude<CountMetric, 'SweepDone'>, AlarmRule>> = {
  LanePaused: once,
  OperationUnsendable: once,
  OperationUnreadable: once,
  LaneCannotPay: once,
  LaneNearBudget: once,
  DeepReorg: once,
  TransactionOverdue: once,
  NonceWithoutReceipt: lasting,
  DispatchInterrupted: lasting,
  SendUncertain: lasting,
  TransactionRefused: lasting,
  FeeCapReached: { threshold: 1, periods: 3 },
  // If only one of several providers is stale, the lines have gaps, because the service prefers each provider for a minute at a time.
  HeadStale: { threshold: 1, periods: 3, datapoints: 1 },
  TransactionUnmined: { threshold: 3, periods: 1 },
  // The sweep checks an attestation about every ten minutes.
  AttestationUnfinished: { threshold: 1, periods: 3, datapoints: 1 },
  WorkflowNotStarted: once,
  LaneNotStarted: once,
  OrganizationNearBudget: once,
  Unauthenticated: { threshold: 100, periods: 1 },
  SweepFailing: lasting,
  ChainUnchecked: lasting,
  WebhookDeadLetter: once,
  WebhookDisabled: once,
  WebhookEventUnreadable: once,
  SettingsUnreadable: lasting,
};

const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8').split(/^#+ /m);

/** Describes an alarm by its section of the runbook: its meaning, the checks, the steps, and a link. */
export function descriptionOf(name: string): string {
  const section = runbook.find((text) => text.startsWith(`${name}\n`));
  if (!section) throw new Error(`docs/runbook.md has no section ${name}`);
  const [, text = ''] = section.split('\n\n');
  return `${plain(text)} Then: docs/runbook.md#${name.toLowerCase()}`;
}

const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('**', '')
    .replaceAll(/\s+/g, ' ')
    .trim();
