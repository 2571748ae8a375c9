import { randomBytes, randomUUID } from 'node:crypto';
import { type Address, formatEther, formatGwei, getAddress, type Hex, toHex } from 'viem';
import { newestBlock } from '../../../../functions/adapters/chain/blocks.ts';
import { estimateGas } from '../../../../functions/adapters/chain/calls.ts';
import { feeDataReader } from '../../../../functions/adapters/chain/fee-data.ts';
import { gweiToWei } from '../../../../functions/domain/amounts.ts';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import type { SignerFeeData } from '../../../../functions/domain/chain.ts';
import { CallRevertedError } from '../../../../functions/domain/errors.ts';
import type { ChainSettings } from '../../../../functions/domain/settings.ts';
import { notAsked, type Outcome, ok, problem, unanswered, warning } from '../report.ts';
import type { Provider } from './provider-checks.ts';
import {
  commitCall,
  simulateAttestation,
  type Trial,
  TrialFailedError,
  type Trialled,
} from './simulate-attestation.ts';

/** Tries an attestation on the chain without sending anything, and says what one alone costs now. */
export async function checkSimulation(
  settings: ChainSettings,
  providers: readonly Provider[],
  trial: Trial,
): Promise<Outcome> {
  const unable: string[] = [];
  for (const provider of providers) {
    try {
      const trialled = await simulateAttestation(provider.rpc, await newestBlock(provider.rpc), trial);
      return await costOutcome(settings, provider, trial, trialled);
    } catch (error) {
      const failed = error instanceof TrialFailedError ? error : undefined;
      // A node that does not move its clock says nothing of the registry: the next one may.
      if (failed && failed.step !== 'time')
        return isEarly(failed) ? tooEarly(settings, trial) : refusal(trial, failed);
      unable.push(`${provider.name}: ${failed?.message ?? provider.failure(error)}`);
    }
  }
  return commitAlone(providers, trial, unable.join('; '));
}

const isEarly = ({ step, reason }: TrialFailedError) =>
  step === 'reveal' && reason.endsWith('reveal too early');

function tooEarly({ revealDelaySeconds }: ChainSettings, { attestation }: Trial): Outcome {
  return problem(
    `the registry ${attestation.registryAddress} takes no reveal ${revealDelaySeconds} s after its commit: it is too early`,
    "Raise revealDelaySeconds in the settings to the registry's own.",
  );
}

function refusal(
  { attestation: { registryAddress }, forwarder }: Trial,
  { step, reason }: TrialFailedError,
): Outcome {
  const where = forwarder ? `${registryAddress} through ${forwarder.address}` : registryAddress;
  return problem(
    `the simulated ${step} on ${where} fails: ${reason}`,
    'Do not serve this chain before that is explained: every attestation would end so.',
  );
}

async function costOutcome(
  settings: ChainSettings,
  { rpc }: Provider,
  { sender, forwarder }: Trial,
  { commitGas, revealGas, calldataBytes }: Trialled,
): Promise<Outcome> {
  const read = feeDataReader(settings);
  const [commit, reveal] = await Promise.all(calldataBytes.map((bytes) => read(rpc, sender, bytes)));
  const wei = commit && reveal ? feeOf(commit, commitGas) + feeOf(reveal, revealGas) : 0n;
  const [price, cap] = [(commit?.baseFee ?? 0n) + (commit?.tip ?? 0n), gweiToWei(settings.maxFeePerGasGwei)];
  const says =
    `simulated ${forwarder ? `through ${forwarder.address}` : 'by the key'}, ${settings.revealDelaySeconds} s apart: ` +
    `${commitGas} and ${revealGas} gas, ${formatEther(wei)} of the chain's coin at ${formatGwei(price)} gwei, ` +
    `at most ${formatEther((commitGas + revealGas) * cap)} in gas at the cap`;
  if (price <= cap) return ok(says);
  return warning(
    `${says}; fees are above the cap of ${settings.maxFeePerGasGwei} gwei, and attestations wait`,
    'Wait, or raise maxFeePerGasGwei in the settings.',
  );
}

function feeOf({ baseFee, tip, rollupFees }: SignerFeeData, gas: bigint): bigint {
  const beside = rollupFees
    ? rollupFees.dataFee +
      rollupFees.operatorFeeConstant +
      (rollupFees.operatorFeePerMillionGas * gas) / 1_000_000n
    : 0n;
  return gas * (baseFee + tip) + beside;
}

/** Where no provider simulates blocks, the commit alone can be tried: the reveal needs it on the chain. */
async function commitAlone(providers: readonly Provider[], trial: Trial, reasons: string): Promise<Outcome> {
  const asked = 'the reveal was not simulated';
  const todo = 'Ask with the URL of a provider that has eth_simulateV1, or attest one text and look.';
  if (trial.forwarder?.isOperator === false)
    return notAsked(`${asked}, nor the commit, whose sender is no operator yet (${reasons})`, todo);
  for (const { rpc } of providers) {
    try {
      const gas = await estimateGas(rpc, commitCall(trial));
      return warning(`the commit takes ${gas} gas; ${asked} (${reasons})`, todo);
    } catch (error) {
      if (error instanceof CallRevertedError)
        return refusal(trial, new TrialFailedError('commit', error.reason));
    }
  }
  return unanswered(`${asked}, nor the commit (${reasons})`, todo);
}

const randomHash = (): Hex => toHex(randomBytes(32));

/** An address that nobody has the key of. */
export function randomAddress(): Address {
  return getAddress(toHex(randomBytes(20)));
}

/** Makes an attestation of random bytes on the newest registry of a chain, as the service would make it. */
export function newTrial(
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
  return { attestation, sender, revealDelaySeconds, ...(forwarder && { forwarder }) };
}
