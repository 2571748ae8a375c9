/** Line that a function may log when it dispatches, advances or sweeps, and when it raises an alarm. */
interface LaneLine {
  readonly message: string;
  /** Lines within five minutes. */
  readonly threshold: number;
  /** Periods of five minutes that are looked at. */
  readonly periods: number;
  /** Number of those that must be above the threshold; without it, all. */
  readonly datapoints?: number;
  readonly why: string;
}

/**
 * Lines of what stops a lane without any function failing: the lane goes on ticking, and only the alarm calls an
 * operator.
 */
export const laneLines: Readonly<Record<string, LaneLine>> = {
  LanePaused: {
    message: 'lane paused',
    threshold: 1,
    periods: 1,
    why: 'Somebody else used the signing key, a stored transaction is not what its attestations make, or an operator paused the lane: nothing of this chain is sent until it is resumed.',
  },
  OperationUnserved: {
    message: 'operation not served',
    threshold: 1,
    periods: 1,
    why: 'An attestation names a registry or a delegate that the settings never named: its row is wrong or forged, and it waits.',
  },
  OperationUnreadable: {
    message: 'queued operation unreadable',
    threshold: 1,
    periods: 1,
    why: 'A record of a queue is malformed, or stands under a key that is not its own: it is passed over, and its attestation waits.',
  },
  LaneShort: {
    message: 'lane short of means',
    threshold: 1,
    periods: 1,
    why: 'The signing key cannot pay for another transaction, or the fee budget of the day is used up: nothing more is sent, nothing is lost.',
  },
  LaneNearBudget: {
    message: 'lane near its fee budget',
    threshold: 1,
    periods: 1,
    why: 'A lane has paid or set aside four fifths of its fee budget of the day: when it is used up, nothing more of its chain is sent until midnight UTC.',
  },
  DeepReorganisation: {
    message: 'reorganisation deeper than confirmations',
    threshold: 1,
    periods: 1,
    why: 'The chain took back what was final: the lane sends it again, and attestations shown as confirmed may not be on-chain meanwhile.',
  },
  TransactionOverdue: {
    message: 'transaction overdue, cancelling',
    threshold: 1,
    periods: 1,
    why: 'A transaction was not mined for the longest wait and is being cancelled: the fee cap is far from what the chain asks.',
  },
  NonceWithoutReceipt: {
    message: 'nonce mined without receipt',
    // A provider may lag by a block or two.
    threshold: 3,
    periods: 2,
    why: 'A nonce is spent and no receipt says by what: a provider lags, or the key was used elsewhere; the lane waits.',
  },
  PumpInterrupted: {
    message: 'pump interrupted',
    threshold: 3,
    periods: 2,
    why: 'Operations whose turn it is cannot be sent: the signing key or a provider fails, or a forwarder does not take the key for its operator; lane status says what it waits for.',
  },
  SendRefused: {
    message: 'transaction may not have been sent',
    threshold: 3,
    // One provider that times out now and then is what the next attempt is for.
    periods: 2,
    why: 'Sends go on failing: check the balance of the signing key and the providers; attestations of the chain wait.',
  },
  TransactionRefused: {
    message: 'transaction refused',
    threshold: 3,
    periods: 2,
    why: 'Every provider refuses a transaction for what it may cost: the account of the signing key is short, or nodes pass on less than maxTransactionFee; attestations of the chain wait for fees to fall.',
  },
  FeeCapReached: {
    message: 'fee cap reached',
    threshold: 1,
    periods: 3,
    why: 'Fees have been above the cap for a quarter of an hour: queued operations wait, or the lowest transaction cannot be replaced and what is behind it waits.',
  },
  HeadStale: {
    message: 'head stale',
    threshold: 1,
    // Of several providers only one may stand still, and it is asked first for a minute at a time.
    ...{ periods: 3, datapoints: 1 },
    why: 'The newest block that a provider shows is old while work waits for the next: the chain stands still or that provider does, and nothing is mined or confirmed until a new block is seen.',
  },
  TransactionUnmined: {
    message: 'transaction unmined for long',
    threshold: 3,
    periods: 1,
    why: 'The lowest transaction of a lane has not been mined for many blocks: what is behind it waits, and after the longest wait it is cancelled; lane status says what it waits for.',
  },
  AttestationUnfinished: {
    message: 'attestation unfinished for long',
    threshold: 1,
    // An attestation is looked at every ten minutes at least.
    ...{ periods: 3, datapoints: 1 },
    why: 'An attestation should have been confirmed or failed by now: its lane, its chain or its execution is stuck; lane status shows the oldest ages.',
  },
};
