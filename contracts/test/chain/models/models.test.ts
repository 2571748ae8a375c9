import { decodeFunctionResult, type Hex, hexToNumber, numberToHex, toEventSelector } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { reasonOf } from '../../../../functions/adapters/chain/rpc-errors.ts';
import { CallRevertedError } from '../../../../functions/domain/errors.ts';
import { Draft, StateHistory } from '../../../../test/fakes/chain/chain-state.ts';
import { ContractsModel } from '../../../../test/fakes/chain/contracts-model.ts';
import { requesterAt } from '../../../../test/fakes/rpc/rpc-call.ts';
import { memberSkippedEvent } from '../../../artifacts/attestation-registry-abi.ts';
import { delegateForwarderAbi } from '../../../artifacts/delegate-forwarder-abi.ts';
import { hash } from '../attest.ts';
import { operator, startForwarder } from '../forwarder.ts';
import { author, other, type RegistryFixture, startRegistry, stranger } from '../registry.ts';
import { type CallValues, RandomCalls, type TimedCall } from './random-calls.ts';
import { contractViews, modelViews, type Views } from './views.ts';

const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const callsPerSeed = 150;

/** Reading the views takes most of the time, and most differences persist. So only every fifth call has views. */
const hasViews = (position: number) => position % 5 === 4 || position === callsPerSeed - 1;

/** The effect of a call: the reason for its revert, or for those of the calls inside it, and perhaps the views after it. */
interface Outcome extends Partial<Views> {
  readonly refusal?: string;
  readonly failures: readonly (readonly [number, string])[];
  /** Positions of the members of batches that the registry skipped. */
  readonly skipped: readonly number[];
}

async function startValues(registry: RegistryFixture): Promise<CallValues> {
  return {
    accounts: [author, other, stranger],
    operator: operator.address,
    registryAddress: registry.address,
    forwarderAddress: await startForwarder(registry),
    digests: Array.from({ length: 5 }, (_, number) => hash(20 + number)),
  };
}

function modelOutcomes(values: CallValues, calls: readonly TimedCall[]): Outcome[] {
  const model = new ContractsModel({ registryAddress: values.registryAddress, revealDelaySeconds: 60 });
  model.hasBatches = true;
  const state = new Draft(new StateHistory().stateAt(0));
  state.set('forwarder', values.forwarderAddress, true);
  state.set('operator', `${values.forwarderAddress} ${values.operator}`, true);
  return calls.map(({ timestamp, ...call }, position) => {
    const draft = new Draft(state);
    const views = () => hasViews(position) && modelViews(model.registry(state), values);
    try {
      const { failures, skipped } = model.run(draft, call, timestamp);
      state.apply(draft);
      return { failures: [...failures], skipped, ...views() };
    } catch (error) {
      if (!(error instanceof CallRevertedError)) throw error;
      return { refusal: error.reason, failures: [], skipped: [], ...views() };
    }
  });
}

/** The events of a receipt. */
interface ReceiptLogs {
  readonly logs: readonly { readonly topics: readonly Hex[] }[];
}

const memberSkipped = toEventSelector(memberSkippedEvent);

/** Positions of the members of batches that the registry skipped. */
function skippedIn({ logs }: ReceiptLogs): number[] {
  const skipped = logs.filter(({ topics: [topic] }) => topic === memberSkipped);
  return skipped.map(({ topics: [, position = '0x'] }) => hexToNumber(position));
}

/** The top-level frame in a node's trace of a transaction. */
interface Frame {
  readonly output?: Hex;
  readonly error?: string;
}

/** Mines each call in its own block, and then reads the effect of each call at its block. */
async function contractOutcomes({ chain }: RegistryFixture, values: CallValues, calls: readonly TimedCall[]) {
  const ask = requesterAt(chain.rpcUrl);
  await ask('evm_setAutomine', [false]);
  const first = Number(await ask('eth_blockNumber')) + 1;
  const hashes: unknown[] = [];
  for (const { timestamp, ...call } of calls) {
    hashes.push(await ask('eth_sendTransaction', [{ ...call, gas: numberToHex(5_000_000) }]));
    await ask('evm_mine', [timestamp]);
  }
  const outcomes: Outcome[] = [];
  for (const [position, transaction] of hashes.entries()) {
    const [frame, receipt, views] = await Promise.all([
      ask('debug_traceTransaction', [transaction, { tracer: 'callTracer' }]),
      ask('eth_getTransactionReceipt', [transaction]),
      hasViews(position) && contractViews(chain, values, BigInt(first + position)),
    ]);
    const outcome = outcomeIn(frame as Frame, calls[position]?.to === values.forwarderAddress);
    outcomes.push({ ...outcome, skipped: skippedIn(receipt as ReceiptLogs), ...views });
  }
  return outcomes;
}

function outcomeIn({ output = '0x', error }: Frame, isBatch: boolean): Pick<Outcome, 'refusal' | 'failures'> {
  if (error !== undefined) return { refusal: reasonOf(output), failures: [] };
  if (!isBatch) return { failures: [] };
  const inside = decodeFunctionResult({ abi: delegateForwarderAbi, functionName: 'execute', data: output });
  const failed = inside.flatMap((data, position) =>
    data === '0x' ? [] : [[position, reasonOf(data)] as const],
  );
  return { failures: failed };
}

/** All outcomes of calls, with any seed. */
const answers = new Set<string>();
let attestations = 0;
let skippedMembers = 0;

test.each(seeds)(
  `${callsPerSeed} random calls have the same effects on the models and on the contracts, seed %i`,
  async (seed) => {
    const registry = await startRegistry();
    onTestFinished(() => registry.stop());
    const values = await startValues(registry);
    const { timestamp } = await registry.chain.client.getBlock();
    const random = new RandomCalls(seed, values, Number(timestamp));
    const calls = Array.from({ length: callsPerSeed }, () => random.next());
    const expected = await contractOutcomes(registry, values, calls);
    for (const [position, outcome] of modelOutcomes(values, calls).entries()) {
      expect(outcome, `call ${position}: ${JSON.stringify(calls[position])}`).toEqual(expected[position]);
      for (const reason of [outcome.refusal, ...outcome.failures.map(([, one]) => one)])
        answers.add(reason ?? 'done');
    }
    skippedMembers += expected.reduce((sum, { skipped }) => sum + skipped.length, 0);
    attestations += expected.at(-1)?.indices?.filter((index) => index > 0).length ?? 0;
  },
);

test('the random calls produce attestations, skipped members, and every outcome of the models', () => {
  const refusals = [
    'attestation already revoked',
    'attestation unknown',
    'children mismatched',
    'commit missing',
    'commit repeated',
    'content already attested',
    'delegate zero',
    'reveal too early',
    'revocation period over',
    'runs mismatched',
    'salted hash mismatched',
    'sender unauthorized',
  ].map((words) => `the registry refused: ${words}`);
  const ofForwarder = ['selector forbidden', 'sender not operator'].map(
    (words) => `the forwarder refused: ${words}`,
  );
  expect([...answers].sort()).toEqual(['done', ...ofForwarder, 'the registry refused the call', ...refusals]);
  expect(attestations).toBeGreaterThan(5 * seeds.length);
  expect(skippedMembers).toBeGreaterThan(seeds.length);
});
