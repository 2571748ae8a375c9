type Unit = 'Count' | 'Seconds';

/** What CloudWatch is told with a log line: a metric that counts the lines, and metrics that take their numbers. */
interface WatchedLine {
  readonly counts?: string;
  /** Names and units of the metrics that take numbers of the line, by the numbers' fields. */
  readonly measures?: Readonly<Record<string, readonly [metric: string, unit: Unit]>>;
  /** Whether the metrics are kept apart by the line's `chainId`. */
  readonly byChain?: true;
}

/** Log lines that are metrics as well, by their messages; the stack's alarms are named after the metrics. */
export const watchedLines = {
  // What stops a lane without any function failing: the lane goes on ticking.
  'lane paused': { counts: 'LanePaused' },
  'operation cannot be sent': { counts: 'OperationUnsendable' },
  'queued operation unreadable': { counts: 'OperationUnreadable' },
  'lane cannot pay': { counts: 'LaneCannotPay' },
  'lane near its fee budget': { counts: 'LaneNearBudget' },
  'reorg deeper than confirmations': { counts: 'DeepReorg' },
  'transaction overdue, cancelling': { counts: 'TransactionOverdue' },
  'nonce mined without receipt': { counts: 'NonceWithoutReceipt' },
  'dispatch interrupted': { counts: 'DispatchInterrupted' },
  'transaction may not have been sent': { counts: 'SendRefused' },
  'transaction refused': { counts: 'TransactionRefused' },
  'fee cap reached': { counts: 'FeeCapReached' },
  'head stale': { counts: 'HeadStale' },
  'transaction unmined for too long': { counts: 'TransactionUnmined' },
  'attestation unfinished for too long': { counts: 'AttestationUnfinished' },
  // What requests leave to the sweep, and what they may use up.
  'workflow not started; the sweep retries': { counts: 'WorkflowNotStarted' },
  'lane not started; the sweep retries': { counts: 'LaneNotStarted' },
  'organization near its fee budget': { counts: 'OrganizationNearBudget' },
  'request not authenticated': { counts: 'Unauthenticated' },
  // What receivers of webhooks do not hear.
  'webhook delivery is a dead letter': { counts: 'WebhookDeadLetter' },
  'webhook disabled': { counts: 'WebhookDisabled' },
  'webhook event unreadable': { counts: 'WebhookEventUnreadable' },
  // What the sweep sees, once a minute.
  'sweep could not restart an execution': { counts: 'SweepFailing' },
  'sweep could not check a chain': { counts: 'ChainUnchecked' },
  // What operators changed and the service cannot take over.
  'settings unreadable': { counts: 'SettingsUnreadable' },
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

/** Message of a log line. With another one, a line would be missed where it is counted, so it does not compile. */
export type LogMessage = WatchedMessage | PlainMessage;

export function watchedLine(message: string): WatchedLine | undefined {
  return Object.hasOwn(watchedLines, message) ? watchedLines[message as WatchedMessage] : undefined;
}

export function messageOf(metric: CountMetric): WatchedMessage {
  const found = Object.entries<WatchedLine>(watchedLines).find(([, { counts }]) => counts === metric);
  return found?.[0] as WatchedMessage;
}
