import {
  cidAndAddressToAttestationIndicesFunction,
  delegateFunction,
} from 'imprimatur-contracts/attestation-registry-abi';
import { addOperatorFunction, executeFunction } from 'imprimatur-contracts/delegate-forwarder-abi';
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, numberToHex } from 'viem';
import * as z from 'zod';
import type { HashedBlock } from '../../../../functions/adapters/chain/blocks.ts';
import { count, hex, quantity, type Rpc } from '../../../../functions/adapters/chain/rpc.ts';
import { reasonOf } from '../../../../functions/adapters/chain/rpc-errors.ts';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import type { Call } from '../../../../functions/domain/chain.ts';
import { registryCall } from '../../../../functions/domain/operation/registry-call.ts';

/** An attestation that is tried and never sent, of an authority that nobody has the key of. */
export interface Trial {
  readonly attestation: Attestation;
  /** Key that sends, or an address that stands in for it before there is one. */
  readonly sender: Address;
  readonly forwarder?: { readonly address: Address; readonly admin: Address; readonly isOperator: boolean };
  readonly revealDelaySeconds: number;
}

/** A call of the trial, and its name for messages. */
interface Step extends Call {
  readonly name: 'addOperator' | 'delegate' | 'commit' | 'reveal' | 'look-up';
}

/** What a trial showed. */
export interface Trialled {
  readonly commitGas: bigint;
  readonly revealGas: bigint;
  /** Bytes of the calldata of commit and reveal, for which a roll-up takes a fee. */
  readonly calldataBytes: readonly [number, number];
}

/** A call of the trial reverts, or has no effect. */
export class TrialFailedError extends Error {
  override readonly name = 'TrialFailedError';
  readonly step: string;
  readonly reason: string;
  constructor(step: string, reason: string) {
    super(`${step}: ${reason}`);
    this.step = step;
    this.reason = reason;
  }
}

const simulatedCall = z.object({
  status: z.enum(['0x0', '0x1']),
  gasUsed: quantity,
  returnData: hex.nullish(),
  error: z.object({ message: z.string().nullish(), data: hex.nullish().catch(undefined) }).nullish(),
});

/** Schema of the answer to `eth_simulateV1`: a block for each asked for, with its calls in their order. */
const simulatedBlocks = z.array(z.object({ timestamp: count, calls: z.array(simulatedCall) }));

type SimulatedCall = z.output<typeof simulatedCall>;

/**
 * Tries a delegation, a commit and, after the reveal delay, a reveal in two blocks that the node runs by itself. Nothing is sent.
 * @throws TrialFailedError, and what the node answers where it has no `eth_simulateV1`
 */
export async function simulateAttestation(rpc: Rpc, head: HashedBlock, trial: Trial): Promise<Trialled> {
  const [first, second] = stepsOf(trial);
  const committedAt = head.timestamp + 1;
  const revealedAt = committedAt + trial.revealDelaySeconds;
  const payload = {
    blockStateCalls: [blockOf(committedAt, first), blockOf(revealedAt, second)],
    validation: false,
  };
  const [committed, revealed] = await rpc(
    'eth_simulateV1',
    [payload, numberToHex(head.number)],
    simulatedBlocks,
  );
  // A node that leaves the time as it was may take a reveal that the chain would refuse, and the other way round.
  if (revealed?.timestamp !== revealedAt)
    throw new TrialFailedError(
      'time',
      `the node ran the reveal at ${revealed?.timestamp}, not at ${revealedAt}`,
    );
  for (const [position, step] of first.entries()) requireSuccess(step, committed?.calls[position], trial);
  for (const [position, step] of second.entries()) requireSuccess(step, revealed.calls[position], trial);
  const [reveal, lookUp] = revealed.calls;
  if (BigInt(lookUp?.returnData || '0x0') === 0n)
    throw new TrialFailedError('reveal', 'the registry took it and shows no attestation');
  return {
    commitGas: committed?.calls.at(-1)?.gasUsed ?? 0n,
    revealGas: reveal?.gasUsed ?? 0n,
    calldataBytes: [bytesOf(first.at(-1)), bytesOf(second[0])],
  };
}

/** The commit alone, as it would be sent. */
export function commitCall(trial: Trial): Call {
  return sent(trial, registryCall(trial.attestation, 'commit'));
}

/** The steps of both blocks, in the order in which they are simulated. */
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
      { name: 'commit', ...commitCall(trial) },
    ],
    [
      { name: 'reveal', ...sent(trial, registryCall(attestation, 'reveal')) },
      { name: 'look-up', from: sender, to, data: lookUp },
    ],
  ];
}

/** A call as the service sends it: by the key, or inside the forwarder. */
function sent({ sender, forwarder }: Trial, call: Call): Call {
  if (!forwarder) return call;
  const data = encodeFunctionData({ abi: [executeFunction], args: [[call.data]] });
  return { from: sender, to: forwarder.address, data };
}

const blockOf = (time: number, steps: readonly Step[]) => ({
  blockOverrides: { time: numberToHex(time) },
  calls: steps.map(({ from, to, data }) => ({ from, to, data })),
});

/** @throws TrialFailedError also for a call that fails inside the forwarder, whose own does not. */
function requireSuccess({ name }: Step, call: SimulatedCall | undefined, { forwarder }: Trial): void {
  if (!call) throw new TrialFailedError(name, 'the node leaves it out of its answer');
  const data = call.returnData ?? call.error?.data;
  if (call.status === '0x0') {
    const says = data && data !== '0x' ? reasonOf(data) : (call.error?.message ?? 'it reverts');
    throw new TrialFailedError(name, says);
  }
  const inForwarder = forwarder && (name === 'commit' || name === 'reveal');
  const inner = inForwarder && data ? innerRevert(data) : undefined;
  if (inner !== undefined) throw new TrialFailedError(name, reasonOf(inner));
}

/** Revert data of the one call that a forwarder's answer is of; `undefined` when it did not revert. */
function innerRevert(data: Hex): Hex | undefined {
  const [inner] = decodeFunctionResult({ abi: [executeFunction], data });
  return inner === '0x' ? undefined : inner;
}

const bytesOf = (call: Call | undefined): number => (call ? (call.data.length - 2) / 2 : 0);
