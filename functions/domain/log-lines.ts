type Unit = 'Count' | 'Seconds';

/** Metrics that CloudWatch derives from a log line: a count of the lines, and numbers from their fields. */
interface WatchedLine {
  readonly counts?: string;
  readonly measures?: Readonly<Record<string, readonly [metric: string, unit: Unit]>>;
  /** Whether the metrics have the line's `chainId` as a dimension. */
  readonly byChain?: true;
}

/** Log lines with metrics, by message. The alarm on a count has the metric's name, except on `SweepDone`. */
export const watchedLines = {
  // Conditions that block a lane, or may soon, while its function succeeds.
  'lane paused': { counts: 'LanePaused' },
  'operation cannot be sent': { counts: 'OperationUnsendable' },
  'queued operation unreadable': { counts: 'OperationUnreadable' },
  'lane cannot pay': { counts: 'LaneCannotPay' },
  'lane near its fee budget': { counts: 'LaneNearBudget' },
  'reorg deeper than confirmations': { counts: 'DeepReorg' },
  'transaction overdue, canceling': { counts: 'TransactionOverdue' },
  'nonce mined without receipt': { counts: 'NonceWithoutReceipt' },
  'dispatch interrupted': { counts: 'DispatchInterrupted' },
  'transaction may not have been sent': { counts: 'SendUncertain' },
  'transaction refused': { counts: 'TransactionRefused' },
  'fee cap reached': { counts: 'FeeCapReached' },
  'head stale': { counts: 'HeadStale' },
  'transaction unmined for too long': { counts: 'TransactionUnmined' },
  'attestation unfinished for too long': { counts: 'AttestationUnfinished' },
  // Requests: work left to the sweep, and limits.
  'workflow not started; the sweep retries': { counts: 'WorkflowNotStarted' },
  'lane not started; the sweep retries': { counts: 'LaneNotStarted' },
  'organization near its fee budget': { counts: 'OrganizationNearBudget' },
  'request not authenticated': { counts: 'Unauthenticated' },
  // Webhook events that receivers do not get.
  'webhook delivery is a dead letter': { counts: 'WebhookDeadLetter' },
  'webhook disabled': { counts: 'WebhookDisabled' },
  'webhook event unreadable': { counts: 'WebhookEventUnreadable' },
  // Changed settings, or RPC URLs, that the service cannot read.
  'settings unreadable': { counts: 'SettingsUnreadable' },
  // Results of the sweep, once a minute.
  'sweep could not restart an execution': { counts: 'SweepFailing' },
  'sweep could not check a chain': { counts: 'ChainUnchecked' },
  'sweep done': {
    counts: 'SweepDone',
    measures: {
      oldestUnfinishedSeconds: ['OldestUnfinished', 'Seconds'],
      attestations: ['SweptAttestations', 'Count'],
    },
  },
  'queues checked': { measures: { oldestQueuedSeconds: ['OldestQueued', 'Seconds'] }, byChain: true },
  'chain checked': { measures: { headAgeSeconds: ['HeadAge', 'Seconds'] }, byChain: true },
  'funds checked': { measures: { daysLeft: ['FundsDays', 'Count'] }, byChain: true },
} as const satisfies Readonly<Record<string, WatchedLine>>;

type WatchedLines = typeof watchedLines;

export type WatchedMessage = keyof WatchedLines;

export type CountMetric = {
  [Message in WatchedMessage]: WatchedLines[Message] extends { counts: infer Name } ? Name : never;
}[WatchedMessage];

type Measured<Line> = Line extends { measures: infer Measures } ? Measures[keyof Measures] : never;

type NameOf<Measure> = Measure extends readonly [infer Name, Unit] ? Name : never;

export type GaugeMetric = {
  [Message in WatchedMessage]: NameOf<Measured<WatchedLines[Message]>>;
}[WatchedMessage];

type PlainMessage =
  | 'API key expires soon'
  | 'attestation failed'
  | 'attestation unreadable'
  | 'batch unreadable'
  | 'chain evidence not read'
  | 'delegation not read'
  | 'delegation not stored'
  | 'task failure not sent'
  | 'nonce used by another program'
  | 'daily usage not counted'
  | 'queued operation no longer needed'
  | 'request answered'
  | 'request failed'
  | 'request not counted'
  | 'step ended'
  | 'step failed'
  | 'task not answered; the state retries after its timeout'
  | 'task token unreadable'
  | 'transaction sent'
  | 'transaction undone by a reorg'
  | 'webhook delivery failed'
  | 'webhook request not sent';

/** Message of a log line. Other messages do not compile, so that a misspelling cannot bypass a metric. */
export type LogMessage = WatchedMessage | PlainMessage;

export function watchedLine(message: string): WatchedLine | undefined {
  return Object.hasOwn(watchedLines, message) ? watchedLines[message as WatchedMessage] : undefined;
}

export function messageOf(metric: CountMetric): WatchedMessage {
  const found = Object.entries<WatchedLine>(watchedLines).find(([, { counts }]) => counts === metric);
  return found?.[0] as WatchedMessage;
}
