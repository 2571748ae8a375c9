import type { CountMetric } from '../../functions/domain/log-lines.ts';
import type { AlarmRule } from './alarm-rule.ts';

/** Any line within five minutes. */
const once = { threshold: 1, periods: 1 };

/** Lines that come one after the other for ten minutes: one failure now and then is what the next attempt is for. */
const lasting = { threshold: 3, periods: 2 };

/** Alarms on what a lane logs when it stands or is about to: the lane goes on ticking, and only the alarm tells. */
const laneAlarms = {
  LanePaused: {
    ...once,
    means:
      'Another sender used the signing key, a stored transaction is not what its attestations make, or an operator paused the lane: nothing of this chain is sent until it is resumed.',
    first: 'Ask lane status why, and find who sent or wrote it before you resume.',
  },
  OperationUnserved: {
    ...once,
    means:
      'An attestation names a registry or a delegate that the settings never named: its row is wrong or forged, and it waits.',
    first: 'Compare the addresses in attestation show with your own.',
  },
  OperationUnreadable: {
    ...once,
    means:
      'A record of a queue is malformed, or stands under a key that is not its own: it is passed over, and its attestation waits.',
    first: 'Look at the records of the queue that the log line names.',
  },
  LaneShort: {
    ...once,
    means:
      'The signing key cannot pay for another transaction, or the fee budget of the day is used up: nothing more is sent, nothing is lost.',
    first: 'Send money to the signer, or raise the budget.',
  },
  LaneNearBudget: {
    ...once,
    means:
      'A lane has paid or set aside four fifths of its fee budget of the day: when it is used up, nothing more of its chain is sent until midnight UTC.',
    first: 'Find out which organisation spends it (org show).',
  },
  DeepReorganisation: {
    ...once,
    means:
      'The chain took back what was final: the lane sends it again, and attestations shown as confirmed may not be on-chain meanwhile.',
    first: 'Watch lane status until all is final again.',
  },
  TransactionOverdue: {
    ...once,
    means:
      'A transaction was not mined for the longest wait and is being cancelled: the fee cap is far from what the chain asks.',
    first: 'Compare the fee cap with the fees of the chain.',
  },
  NonceWithoutReceipt: {
    // A provider may lag by a block or two.
    ...lasting,
    means:
      'A nonce is spent and no receipt says by what: a provider lags, or the key was used elsewhere; the lane waits.',
    first: "Look up the signer's transactions in an explorer.",
  },
  PumpInterrupted: {
    ...lasting,
    means:
      'Operations whose turn it is cannot be sent: the signing key or a provider fails, or a forwarder does not take the key for its operator; the lane waits.',
    first: 'Ask lane status which of them it is.',
  },
  SendRefused: {
    // One provider that times out now and then is what the next attempt is for.
    ...lasting,
    means: 'Sends go on failing: the providers refuse or time out, and attestations of the chain wait.',
    first: 'Check the balance of the signing key and the providers.',
  },
  TransactionRefused: {
    ...lasting,
    means:
      'Every provider refuses a transaction for what it may cost: the account of the signing key is short, or nodes pass on less than maxTransactionFee; attestations of the chain wait for fees to fall.',
    first: "Read the nodes' words in the log line.",
  },
  FeeCapReached: {
    ...{ threshold: 1, periods: 3 },
    means:
      'Fees have been above the cap for a quarter of an hour: queued operations wait, or the lowest transaction cannot be replaced and what is behind it waits.',
    first: 'Wait, or raise maxFeePerGasGwei.',
  },
  HeadStale: {
    // Of several providers only one may stand still, and it is asked first for a minute at a time.
    ...{ threshold: 1, periods: 3, datapoints: 1 },
    means:
      'The newest block that a provider shows is old while work waits for the next: the chain stands still or that provider does, and nothing is mined or confirmed until a new block is seen.',
    first: 'Compare the block number with an explorer.',
  },
  TransactionUnmined: {
    ...{ threshold: 3, periods: 1 },
    means:
      'The lowest transaction of a lane has not been mined for many blocks: what is behind it waits, and after the longest wait it is cancelled.',
    first: 'Ask lane status what it waits for.',
  },
  AttestationUnfinished: {
    // An attestation is looked at every ten minutes at least.
    ...{ threshold: 1, periods: 3, datapoints: 1 },
    means:
      'An attestation should have been confirmed or failed by now: its lane, its chain or its execution is stuck.',
    first: 'Look at the other alarms, then at lane status and attestation show.',
  },
} satisfies Partial<Record<CountMetric, AlarmRule>>;

/** Alarms on what requests log, and on what the sweep cannot do. */
const serviceAlarms = {
  WorkflowNotStarted: {
    ...once,
    means:
      'An attestation was accepted and its execution not started: the sweep starts it within two minutes, if that can start any.',
    first:
      'Read the cause in the log of CreateAttestation: a throttle passes, a missing permission does not.',
  },
  LaneNotStarted: {
    ...once,
    means: "A lane's execution could not be started: what was queued waits for the sweep, a minute or two.",
    first: 'Read the cause in the log: a throttle passes, a missing permission does not.',
  },
  OrganizationNearBudget: {
    ...once,
    means:
      'An organisation has used four fifths of its fee budget of the day on a chain: when it is used up, its requests are refused until midnight UTC.',
    first: 'Ask org show whether that is its usual use; if not, a key of it may have leaked.',
  },
  Unauthenticated: {
    ...{ threshold: 100, periods: 1 },
    means:
      'A hundred requests within five minutes had no valid API key: a client with a revoked key, or guesses. A guess has no chance; the requests count in the throttle of all.',
    first: 'Look up the addresses in the access log.',
  },
  SweepFailing: {
    ...lasting,
    means:
      'The sweep cannot restart lanes or attestations: executions that a crash ended stay ended, and attestations wait.',
    first: "Read the cause in the sweep's log: the store, Step Functions or a permission.",
  },
  ChainUnseen: {
    ...lasting,
    means:
      'The sweep cannot look at a chain: no provider answers, its RPC URLs cannot be read, or the store fails. Nothing says how old its head is or what the signers have left.',
    first: 'Check the RPC URLs: signer list asks the providers.',
  },
  WebhookParked: {
    ...once,
    means:
      'A receiver of webhooks did not take an event in three days: it is not sent any more, and forgotten after thirty days.',
    first: 'Tell the publisher, and replay what webhook parked shows once the receiver answers.',
  },
  WebhookDisabled: {
    ...once,
    means:
      'A receiver of webhooks answered 410 Gone: nothing more is sent there, and what waits is forgotten after thirty days.',
    first: 'Ask the publisher; webhook update with its address, also the same, sends again.',
  },
  WebhookEventUnreadable: {
    ...once,
    means:
      'A row of an attestation, a webhook or a delivery is malformed: what it would tell a receiver is not sent, all else is.',
    first: 'Look at the record that the log line names.',
  },
  SettingsUnreadable: {
    ...lasting,
    means:
      'Functions cannot read what operators changed, settings or RPC URLs: they go on with what they read last, and those just started bind and sign nothing.',
    first: 'Ask settings show what is stored, and read the cause in the log line.',
  },
} satisfies Partial<Record<CountMetric, AlarmRule>>;

/** Alarms on metrics that count log lines, by the metrics' names. SweepDone is a heartbeat: its absence alarms. */
export const lineAlarms: Readonly<Record<Exclude<CountMetric, 'SweepDone'>, AlarmRule>> = {
  ...laneAlarms,
  ...serviceAlarms,
};
