import { randomBytes, randomUUID } from 'node:crypto';
import {
  cidAndAddressToAttestationIndicesFunction,
  delegateFunction,
} from 'imprimatur-contracts/attestation-registry-abi';
import { addOperatorFunction, executeFunction } from 'imprimatur-contracts/delegate-forwarder-abi';
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  formatEther,
  formatGwei,
  getAddress,
  type Hex,
  numberToHex,
  toHex,
} from 'viem';
import * as z from 'zod';
import { newestBlock } from '../../../../functions/adapters/chain/blocks.ts';
import { feeDataReader } from '../../../../functions/adapters/chain/fee-data.ts';
import { count, hex, quantity, type Rpc } from '../../../../functions/adapters/chain/rpc.ts';
import { reasonOf } from '../../../../functions/adapters/chain/rpc-errors.ts';
import { gweiToWei } from '../../../../functions/domain/amounts.ts';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import type { Call, SignerFeeData } from '../../../../functions/domain/chain.ts';
import { registryCall } from '../../../../functions/domain/operation/registry-call.ts';
import type { ChainSettings } from '../../../../functions/domain/settings.ts';
import { type Outcome, ok, problem, warning } from '../report.ts';
import type { Provider } from './provider-checks.ts';

/** An attestation that is simulated and never sent, of a random authority. */
interface Trial {
  readonly attestation: Attestation;
  /** Address of a signing key, or a random address if none is known. */
  readonly sender: Address;
  readonly forwarder:
    | { readonly address: Address; readonly admin: Address; readonly isOperator: boolean }
    | undefined;
  readonly revealDelaySeconds: number;
}

const randomHash = (): Hex => toHex(randomBytes(32));

/** Makes an address whose key nobody has. */
export const randomAddress = (): Address => getAddress(toHex(randomBytes(20)));

function newTrial(
  { chainId, registryAddress, revealDelaySeconds }: ChainSettings,
  sender: Address,
  forwarder: Trial['forwarder'],
): Trial {
  const attestation: Attestation = {
    ...{ schema: 1, organizationId: 'doctor', id: randomUUID(), contentCid: '' },
    ...{ digest: randomHash(), quoteRoot: randomHash(), salt: randomHash() },
    ...{ chainId, registryAddress, authorityAddress: randomAddress() },
    delegateAddress: forwarder?.address ?? sender,
    ...{ status: 'pending', error: null, childAttestationId: null, childSequence: 0 },
    ...{ childLinkTxHash: null, run: 1, createdAt: new Date(0).toISOString() },
  };
  return { attestation, sender, revealDelaySeconds, forwarder };
}

export async function checkSimulation(
  settings: ChainSettings,
  providers: readonly Provider[],
  sender: Address,
  forwarder?: Trial['forwarder'],
): Promise<Outcome> {
  const trial = newTrial(settings, sender, forwarder);
  const failures: string[] = [];
  for (const provider of providers) {
    try {
      const result = await simulateAttestation(provider.rpc, trial);
      if (!('step' in result)) return await costOutcome(settings, provider, trial, result);
      // If a node ignores the reveal's time, its result is not valid. The next provider may apply the time.
      if (result.step !== 'time') return refusal(trial, result);
      failures.push(`${provider.name}: ${result.step}: ${result.reason}`);
    } catch (error) {
      failures.push(`${provider.name}: ${provider.failure(error)}`);
    }
  }
  return warning(
    `no provider can simulate it (${failures.join('; ')})`,
    'Use a provider that supports eth_simulateV1, or test with one attestation.',
  );
}

function refusal(
  { attestation: { registryAddress }, forwarder, revealDelaySeconds }: Trial,
  { step, reason }: Failure,
): Outcome {
  if (step === 'reveal' && reason.endsWith('reveal too early'))
    return problem(
      `the registry ${registryAddress} rejects a reveal ${revealDelaySeconds} s after its commit as too early`,
      "Raise revealDelaySeconds in the settings to the registry's value.",
    );
  const where = forwarder ? `${registryAddress} through ${forwarder.address}` : registryAddress;
  return problem(
    `the simulated ${step} on ${where} fails: ${reason}`,
    'Find the cause before you serve this chain: every attestation would fail.',
  );
}

async function costOutcome(
  settings: ChainSettings,
  { rpc }: Provider,
  { sender, forwarder }: Trial,
  { commitGas, revealGas, calldataBytes }: TrialResult,
): Promise<Outcome> {
  const read = feeDataReader(settings);
  const [commit, reveal] = await Promise.all(calldataBytes.map((bytes) => read(rpc, sender, bytes)));
  const wei = commit && reveal ? feeOf(commit, commitGas) + feeOf(reveal, revealGas) : 0n;
  const [price, cap] = [(commit?.baseFee ?? 0n) + (commit?.tip ?? 0n), gweiToWei(settings.maxFeePerGasGwei)];
  const message =
    `simulated ${forwarder ? `through ${forwarder.address}` : 'by the key'}, ${settings.revealDelaySeconds} s apart: ` +
    `${commitGas} and ${revealGas} gas, ${formatEther(wei)} of the chain's coin at ${formatGwei(price)} gwei, ` +
    `at most ${formatEther((commitGas + revealGas) * cap)} for gas at the fee cap`;
  if (price <= cap) return ok(message);
  return warning(
    `${message}; fees are above the cap of ${settings.maxFeePerGasGwei} gwei, so attestations wait`,
    'Wait, or raise maxFeePerGasGwei in the settings.',
  );
}

/** Computes the fee of a transaction at the current price, in wei. */
export function feeOf({ baseFee, tip, rollupFees }: SignerFeeData, gas: bigint): bigint {
  const rollupFee = rollupFees
    ? rollupFees.dataFee +
      rollupFees.operatorFeeConstant +
      (rollupFees.operatorFeePerMillionGas * gas) / 1_000_000n
    : 0n;
  return gas * (baseFee + tip) + rollupFee;
}

interface Step extends Call {
  readonly name: 'addOperator' | 'delegate' | 'commit' | 'reveal' | 'look-up';
}

interface TrialResult {
  readonly commitGas: bigint;
  readonly revealGas: bigint;
  /** Bytes of the calldata of commit and reveal, for the rollup's fee. */
  readonly calldataBytes: readonly [number, number];
}

/** A step that fails or has no effect. */
interface Failure {
  readonly step: string;
  readonly reason: string;
}

const simulatedCall = z.object({
  status: z.enum(['0x0', '0x1']),
  gasUsed: quantity,
  returnData: hex.nullish(),
  error: z.object({ message: z.string().nullish(), data: hex.nullish().catch(undefined) }).nullish(),
});

/** Response of `eth_simulateV1`: a block for each requested one, with its calls in order. */
const simulatedBlocks = z.array(z.object({ timestamp: count, calls: z.array(simulatedCall) }));

type SimulatedCall = z.output<typeof simulatedCall>;

/** Simulates two blocks: one with a delegation and a commit, and after the reveal delay, one with a reveal. */
async function simulateAttestation(rpc: Rpc, trial: Trial): Promise<TrialResult | Failure> {
  const head = await newestBlock(rpc);
  const [first, second] = stepsOf(trial);
  const committedAt = head.timestamp + 1;
  const revealedAt = committedAt + trial.revealDelaySeconds;
  const blockStateCalls = [blockOf(committedAt, first), blockOf(revealedAt, second)];
  const params = [{ blockStateCalls, validation: false }, numberToHex(head.number)];
  const [committed, revealed] = await rpc('eth_simulateV1', params, simulatedBlocks);
  // Nodes that ignore the time may accept a reveal that the chain would reject, or the reverse.
  if (revealed?.timestamp !== revealedAt)
    return {
      step: 'time',
      reason: `the node ran the reveal at ${revealed?.timestamp}, not at ${revealedAt}`,
    };
  const calls = [...first.map((_, position) => committed?.calls[position]), ...revealed.calls];
  for (const [position, step] of [...first, ...second].entries()) {
    const reason = failureOf(step, calls[position], trial);
    if (reason !== undefined) return { step: step.name, reason };
  }
  const [reveal, lookUp] = revealed.calls;
  if (BigInt(lookUp?.returnData || '0x0') === 0n)
    return { step: 'reveal', reason: 'the registry accepted it but has no attestation' };
  return {
    commitGas: committed?.calls.at(-1)?.gasUsed ?? 0n,
    revealGas: reveal?.gasUsed ?? 0n,
    calldataBytes: [bytesOf(first.at(-1)), bytesOf(second[0])],
  };
}

function stepsOf(trial: Trial): readonly [readonly Step[], readonly [Step, Step]] {
  const { sender, forwarder, attestation } = trial;
  const { registryAddress: to, authorityAddress: authority, delegateAddress, digest } = attestation;
  const delegation = encodeFunctionData({ abi: [delegateFunction], args: [delegateAddress] });
  const addition = encodeFunctionData({ abi: [addOperatorFunction], args: [sender] });
  const lookUp = encodeFunctionData({
    abi: [cidAndAddressToAttestationIndicesFunction],
    args: [digest, authority],
  });
  return [
    [
      ...(forwarder && !forwarder.isOperator
        ? [{ name: 'addOperator', from: forwarder.admin, to: forwarder.address, data: addition } as const]
        : []),
      { name: 'delegate', from: authority, to, data: delegation },
      { name: 'commit', ...wrapCall(trial, registryCall(attestation, 'commit')) },
    ],
    [
      { name: 'reveal', ...wrapCall(trial, registryCall(attestation, 'reveal')) },
      { name: 'look-up', from: sender, to, data: lookUp },
    ],
  ];
}

/** Wraps a call in the forwarder, if there is one. */
function wrapCall({ sender, forwarder }: Trial, call: Call): Call {
  if (!forwarder) return call;
  const data = encodeFunctionData({ abi: [executeFunction], args: [[call.data]] });
  return { from: sender, to: forwarder.address, data };
}

const blockOf = (time: number, steps: readonly Step[]) => ({
  blockOverrides: { time: numberToHex(time) },
  calls: steps.map(({ from, to, data }) => ({ from, to, data })),
});

/** Finds why a call fails, also inside a successful call of the forwarder. */
function failureOf(
  { name }: Step,
  call: SimulatedCall | undefined,
  { forwarder }: Trial,
): string | undefined {
  if (!call) return 'the node returned no result for it';
  const data = call.returnData ?? call.error?.data;
  if (call.status === '0x0')
    return data && data !== '0x' ? reasonOf(data) : (call.error?.message ?? 'it reverts');
  if (!forwarder || !data || (name !== 'commit' && name !== 'reveal')) return undefined;
  const [inner = '0x'] = decodeFunctionResult({ abi: [executeFunction], data });
  return inner === '0x' ? undefined : reasonOf(inner);
}

const bytesOf = (call: Call | undefined): number => (call ? (call.data.length - 2) / 2 : 0);
