/** One guard taken out of the code, for which tests must fail. */
export interface Break {
  /** Number of the row in docs/faults.md that the guard is for. */
  readonly row: number;
  /**
   * Test file that must fail, instead of the row's own. For a guard that matters only at a moment that simulated time on
   * anvil does not bring about: a provider that answers from before, a write that comes between two.
   */
  readonly testFile?: string;
  readonly file: string;
  /** Occurs once in the file. */
  readonly guard: string;
  readonly instead: string;
  /** What the code does wrong without the guard. */
  readonly wrong: string;
}

const domain = 'functions/domain';
const adapters = 'functions/adapters';
const ofDomain = 'test/functions/domain';

export const breaks: readonly Break[] = [
  {
    row: 1,
    file: `${domain}/requests/create-attestation.ts`,
    guard: "if (existing && existing.status !== 'failed') return",
    instead: 'if (existing && existing.run === 0) return',
    wrong: 'accepts a content that is there already',
  },
  {
    row: 2,
    file: `${domain}/steps/sweep.ts`,
    guard: "  if ((await executions.startAttest({ ...key, run: row.run })) === 'closed') {",
    instead: "  if (row.run > 1 && (await executions.startAttest({ ...key, run: row.run })) === 'closed') {",
    wrong: 'the sweep starts no first run',
  },
  {
    row: 2,
    file: `${domain}/steps/sweep.ts`,
    guard: '  if (isOwing) return startLane(services, lane, state);\n',
    instead: '',
    wrong: 'the sweep starts no lane',
  },
  {
    row: 3,
    file: `${domain}/steps/sweep.ts`,
    guard: "run: row.run })) === 'closed') {",
    instead: "run: row.run })) === ('burnt' as string)) {",
    wrong: 'a burnt name is taken for a running execution',
  },
  {
    row: 4,
    file: `${domain}/steps/enter-step.ts`,
    guard: `      expect: { [\`\${kind}Phase\`]: undefined, status: row.status },\n`,
    instead: '',
    wrong: 'a state that runs twice queues twice',
  },
  {
    row: 4,
    testFile: 'test/functions/workflow/step-causes.test.ts',
    file: 'functions/workflow/step/step-error.ts',
    guard: "  else log.error('step failed', error, fields);\n",
    instead: '',
    wrong: 'the cause of an unforeseen error of a step is lost',
  },
  {
    row: 4,
    testFile: 'test/functions/workflow/step-causes.test.ts',
    file: 'functions/workflow/step/plain-step.ts',
    guard: '    logStepError(services.log, error);\n',
    instead: '',
    wrong: 'the cause of an error of a state without a token is lost',
  },
  {
    row: 4,
    testFile: 'test/functions/workflow/step-causes.test.ts',
    file: 'functions/workflow/step/token-step.ts',
    guard: '    logStepError(services.log, error, { organizationId, id });\n',
    instead: '',
    wrong: 'the cause of an error of a state with a token is lost',
  },
  {
    row: 5,
    file: `${domain}/steps/enter-step.ts`,
    guard: '  const fields =\n    (await records',
    instead: `  const before = await records.get(attestationRow(key));
  if (before) {
    await records.update({ key: attestationRow(key), set, expect: { status: ['pending', 'committed'] } });
    return attestationOf(key, before);
  }
  const fields =
    (await records`,
    wrong: 'the row is read before the token is written',
  },
  {
    row: 6,
    file: `${domain}/steps/commit.ts`,
    guard: "if (answer !== 'wait') return answerTask(services.executions, input.taskToken, answer);",
    instead: "if (answer !== 'wait') return;",
    wrong: 'a state that is entered again is not told what is done already',
  },
  {
    row: 7,
    file: `${domain}/sending/resubmit.ts`,
    guard: 'if (transaction.attempts.length === 0) return sendFirst(services, chain, transaction);',
    instead: 'if (transaction.attempts.length === 0) return;',
    wrong: 'what was bound and never signed stays so',
  },
  {
    row: 7,
    testFile: `${ofDomain}/settling/settled-in-parts.test.ts`,
    file: `${domain}/settling/settle-transaction.ts`,
    guard: 'final ? transaction.settledCount : 0',
    instead: '0',
    wrong: 'a settlement that goes on frees again what it freed before',
  },
  {
    row: 8,
    file: `${domain}/sending/assign-nonce.ts`,
    guard: '    ...batch.map(({ operation }) => takeOperation(queue, operation)),\n',
    instead: '',
    wrong: 'bound operations stay in the queue',
  },
  {
    row: 9,
    file: `${domain}/lane/transaction-records.ts`,
    guard: '    key: transactionRecord(read.lane, read.nonce),\n    expect: { version: read.version },',
    instead: '    key: transactionRecord(read.lane, read.nonce),',
    wrong: 'of two that sign, both store',
  },
  {
    row: 10,
    file: `${domain}/steps/next-tick.ts`,
    guard: 'if (!isIdle || (await hasWork(services, chain, state))) await startLane(services, state.lane);',
    instead: 'if (!isIdle) await startLane(services, state.lane);',
    wrong: 'the lane does not look once more after it went idle',
  },
  {
    row: 11,
    file: `${adapters}/chain/providers.ts`,
    guard: 'if (!isAlreadyKnown(error)) throw error;',
    instead: 'throw error;',
    wrong: '"already known" is a failure',
  },
  {
    row: 12,
    file: `${domain}/settling/lost-nonce.ts`,
    guard: 'if (spentBy === undefined || attempts.some(({ hash }) => hash === spentBy)) return undefined;',
    instead: 'if (spentBy === undefined) return undefined;',
    wrong: 'a nonce that its own transaction used is taken for lost',
  },
  {
    row: 12,
    testFile: `${ofDomain}/settling/lagging-provider.test.ts`,
    file: `${domain}/settling/lost-nonce.ts`,
    guard: 'isOperator || used > nonce',
    instead: 'isOperator',
    wrong: 'a mined transaction of a revoked key is taken for lost',
  },
  {
    row: 13,
    file: `${domain}/settling/settle-lane.ts`,
    guard: 'attempts.map(({ hash }) => hash) : [];',
    instead: 'attempts.slice(-1).map(({ hash }) => hash) : [];',
    wrong: 'only the newest attempt is looked for',
  },
  {
    row: 14,
    file: `${domain}/sending/resubmit.ts`,
    guard: 'const rebroadcastSeconds = 60;',
    instead: 'const rebroadcastSeconds = 1e9;',
    wrong: 'nothing is sent again',
  },
  {
    row: 15,
    file: `${domain}/sending/resubmit.ts`,
    guard: 'for (const transaction of lane.open)',
    instead: 'for (const transaction of lane.open.slice(1))',
    wrong: 'the lowest nonce is not looked after',
  },
  {
    row: 16,
    file: `${adapters}/chain/transport.ts`,
    guard: 'if (served !== numberToHex(chainId))',
    instead: 'if (served === undefined)',
    wrong: 'a provider of another chain is believed',
  },
  {
    row: 16,
    testFile: `${ofDomain}/settling/lagging-provider.test.ts`,
    file: `${domain}/settling/settle-lane.ts`,
    guard: 'return snapshot.blockHashes.has(receipt.blockNumber) ? receipt : undefined;',
    instead: 'return receipt;',
    wrong: 'what a provider does not show is final by its word',
  },
  {
    row: 17,
    file: `${domain}/sending/fees.ts`,
    guard: 'return larger((fee * 12n + 9n) / 10n, fee + 1n);',
    instead: 'return larger((fee * 105n + 99n) / 100n, fee + 1n);',
    wrong: 'a replacement pays 5 % more, which no node takes',
  },
  {
    row: 17,
    file: `${domain}/sending/fee-cap.ts`,
    guard: '>= hours * 3_600_000',
    instead: '>= hours * 3_600_000_000',
    wrong: 'an operation waits for ever behind the fee cap',
  },
  {
    row: 18,
    file: `${domain}/sending/fees.ts`,
    guard: 'return larger((fee * 12n + 9n) / 10n, fee + 1n);',
    instead: 'return (fee * 12n) / 10n;',
    wrong: 'a raised tip is rounded down',
  },
  {
    row: 19,
    file: `${domain}/sending/funds.ts`,
    guard: 'if (feeData.balance < cost * (unmined + 1n)) {',
    instead: 'if (feeData.balance < 0n * (unmined + 1n)) {',
    wrong: 'an empty account is sent from',
  },
  {
    row: 20,
    file: `${domain}/settling/reorganisation.ts`,
    guard: 'return canonical !== undefined && canonical !== receipt?.blockHash;',
    instead: 'return canonical !== undefined && receipt === undefined;',
    wrong: 'a reorganisation is not noticed',
  },
  {
    row: 20,
    file: `${domain}/settling/reorganisation.ts`,
    guard: 'if (lowest === undefined) return state;',
    instead: 'if (state) return state;',
    wrong: 'a reorganisation below what is final is not repaired',
  },
  {
    row: 20,
    testFile: `${ofDomain}/operation/refuse-unsendable.test.ts`,
    file: `${domain}/operation/drop-operations.ts`,
    guard: 'candidates.filter(mayFail)',
    instead: 'candidates',
    wrong: 'an attestation fails whose commit a reorganisation can send again',
  },
  {
    row: 21,
    file: `${domain}/settling/settle-lane.ts`,
    guard: 'if (minedCount <= nextNonce ||',
    instead: 'if (minedCount >= 0 ||',
    wrong: 'a nonce spent ahead of the lane is not noticed',
  },
  {
    row: 22,
    file: `${domain}/sending/send-batch.ts`,
    guard: 'const sendable = batch.filter((_, position) => !simulation.failures.has(position));',
    instead: 'const sendable = batch;',
    wrong: 'what can never be done is sent with the rest',
  },
  {
    row: 22,
    file: `${domain}/settling/transaction-outcome.ts`,
    guard: 'if (!receipt?.succeeded || receipt.failedPositions.includes(position)) return false;',
    instead: 'if (!receipt?.succeeded) return false;',
    wrong: 'a failed call of a batch is taken for done',
  },
  {
    row: 23,
    file: `${domain}/settling/transaction-outcome.ts`,
    guard: "return { kind: 'free', reverts, batchLimit: Math.floor(operations.length / 2) };",
    instead: "return { kind: 'free', reverts };",
    wrong: 'a reverted batch is not split',
  },
  {
    row: 24,
    file: `${domain}/steps/reveal.ts`,
    guard: 'timestamp < Date.parse(revealAt) / 1000',
    instead: "revealAt === ''",
    wrong: 'a reveal is queued before its time on the chain',
  },
  {
    row: 25,
    file: `${domain}/steps/commit.ts`,
    guard: '  await failAttestation(services, row, error);\n',
    instead: '',
    wrong: 'a revoked delegation does not end the attestation',
  },
  {
    row: 25,
    file: `${domain}/lane/queue-records.ts`,
    guard: '...configuredDelegates(chain, lane), ...delegates]',
    instead: '...configuredDelegates(chain, lane)]',
    wrong: 'a delegate that is no setting any more is forgotten',
  },
  {
    row: 25,
    testFile: `${ofDomain}/operation/revert-diagnosis.test.ts`,
    file: `${domain}/operation/revert-diagnosis.ts`,
    guard: '  if (!isAfter(block, queuedAt)) return false;\n',
    instead: '',
    wrong: 'a block from before an operation was queued refuses it',
  },
  {
    row: 25,
    testFile: `${ofDomain}/operation/revert-diagnosis.test.ts`,
    file: `${domain}/steps/commit.ts`,
    guard: ' || !isAfter(block, row.createdAt)',
    instead: '',
    wrong: 'a block from before a request refuses it',
  },
  {
    row: 26,
    file: `${adapters}/aws/kms-signer.ts`,
    guard: '=== address) {',
    instead: '=== address || recovery === 1) {',
    wrong: 'a signature by another key is taken',
  },
  {
    row: 27,
    file: `${adapters}/aws/kms-signer.ts`,
    guard: '.normalizeS()',
    instead: '',
    wrong: 'a high s stays high',
  },
  {
    row: 28,
    file: `${adapters}/dynamodb/conditional-write.ts`,
    guard: "['TransactionConflict', ",
    instead: '[',
    wrong: 'a transaction conflict is an error',
  },
  {
    row: 29,
    file: `${domain}/steps/enter-step.ts`,
    guard: 'const set = { ...tokens, ...checkLater',
    instead: 'const set = { ...checkLater',
    wrong: 'the token of a state that runs again is not stored',
  },
  {
    row: 29,
    testFile: `${ofDomain}/sending/missing-key.test.ts`,
    file: `${domain}/sending/send-batch.ts`,
    guard: '  await laneSigner(services, state.lane);\n',
    instead: '',
    wrong: 'a nonce is bound for which the deployment has no key',
  },
  {
    row: 30,
    file: `${domain}/attestation/attestation-records.ts`,
    guard: '? { key: guard, put: { id }, ifAbsent: true }',
    instead: '? { key: guard, put: { id } }',
    wrong: 'of many at once, several are accepted',
  },
  {
    row: 31,
    file: `${domain}/operation/outcome.ts`,
    guard: 'return childSequence === undefined || childSequence === row.childSequence;',
    instead: 'return true;',
    wrong: 'an older link that lands late stands',
  },
  {
    row: 31,
    testFile: `${ofDomain}/operation/candidates.test.ts`,
    file: `${domain}/operation/candidates.ts`,
    guard: 'expect: same, set: same',
    instead: 'set: same',
    wrong: 'an operation that is owed again is taken out of its queue',
  },
  {
    row: 32,
    file: `${domain}/steps/advance-lane.ts`,
    guard: 'const ticksPerRun = 500;',
    instead: 'const ticksPerRun = 50_000;',
    wrong: 'a lane does not hand over before its history ends',
  },
  {
    row: 32,
    file: `${domain}/settling/transaction-outcome.ts`,
    guard: 'hash === receipt.hash && !cancels)',
    instead: 'hash === receipt.hash)',
    wrong: 'a mined cancellation is taken for the transaction',
  },
  {
    row: 33,
    file: `${domain}/settling/settle-lane.ts`,
    guard: 'attempts.map(({ hash }) => hash) : [];',
    instead: 'attempts.slice(-1).map(({ hash }) => hash) : [];',
    wrong: 'only the newest attempt is looked for',
  },
  {
    row: 33,
    file: `${domain}/lane/transaction-records.ts`,
    guard: '    key: transactionRecord(read.lane, read.nonce),\n    expect: { version: read.version },',
    instead: '    key: transactionRecord(read.lane, read.nonce),',
    wrong: 'of two that sign, both store',
  },
  {
    row: 39,
    file: `${domain}/sending/dispatch-queue.ts`,
    guard: '  if (dispatch.lease && !(await dispatch.lease.take())) return { state: read, ended: true };\n',
    instead: '',
    wrong: 'all that post at once simulate the same and lose the same race',
  },
  {
    row: 45,
    file: `${domain}/lane/start-lane.ts`,
    guard: 'isAsleep(state, services.now()) ? run + 1 : run',
    instead: 'isAsleep(state, services.now()) ? run : run',
    wrong: 'who sends does not wake the lane',
  },
];
