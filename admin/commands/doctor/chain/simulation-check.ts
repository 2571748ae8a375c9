import { formatEther, formatGwei } from 'viem';
import { newestBlock } from '../../../../functions/adapters/chain/blocks.ts';
import { estimateGas } from '../../../../functions/adapters/chain/calls.ts';
import { feeDataReader } from '../../../../functions/adapters/chain/fee-data.ts';
import { gweiToWei } from '../../../../functions/domain/amounts.ts';
import type { SignerFeeData } from '../../../../functions/domain/chain.ts';
import { CallRevertedError } from '../../../../functions/domain/errors.ts';
import type { ChainSettings } from '../../../../functions/domain/settings.ts';
import { type Finding, notAsked, ok, problem, unanswered, warning } from '../finding.ts';
import type { Provider } from './providers.ts';
import {
  commitCall,
  simulateAttestation,
  type Trial,
  TrialFailedError,
  type Trialled,
} from './simulate-attestation.ts';

const check = 'commit and reveal';

/** Tries an attestation on the chain without sending anything, and says what one alone costs now. */
export async function checkSimulation(
  settings: ChainSettings,
  providers: readonly Provider[],
  trial: Trial,
): Promise<Finding[]> {
  const unable: string[] = [];
  for (const provider of providers) {
    try {
      const trialled = await simulateAttestation(provider.rpc, await newestBlock(provider.rpc), trial);
      return [await costFinding(settings, provider, trial, trialled)];
    } catch (error) {
      if (error instanceof TrialFailedError && isEarly(error) && (await takesLater(provider, trial)))
        return [tooEarly(settings, trial)];
      // A node that does not move its clock says nothing of the registry: the next one may.
      if (error instanceof TrialFailedError && error.step !== 'time' && !isEarly(error))
        return [refusal(trial, error)];
      unable.push(
        `${provider.name}: ${error instanceof TrialFailedError ? error.message : provider.failure(error)}`,
      );
    }
  }
  return commitAlone(providers, trial, unable.join('; '));
}

const isEarly = ({ step, reason }: TrialFailedError) =>
  step === 'reveal' && reason.endsWith('reveal too early');

/** A reveal delay that no registry has. */
const longDelaySeconds = 86_400;

/** Whether the registry takes the reveal much later: then its delay is longer than the settings say. */
async function takesLater({ rpc }: Provider, trial: Trial): Promise<boolean> {
  const later = { ...trial, revealDelaySeconds: longDelaySeconds };
  const tried = simulateAttestation(rpc, await newestBlock(rpc), later);
  return tried.then(
    () => true,
    () => false,
  );
}

function tooEarly({ revealDelaySeconds }: ChainSettings, { attestation }: Trial): Finding {
  return problem(
    check,
    `the registry ${attestation.registryAddress} takes no reveal ${revealDelaySeconds} s after its commit, and takes it later`,
    "Raise revealDelaySeconds in the settings to the registry's own.",
  );
}

function refusal(
  { attestation: { registryAddress }, forwarder }: Trial,
  { step, reason }: TrialFailedError,
): Finding {
  const where = forwarder ? `${registryAddress} through ${forwarder.address}` : registryAddress;
  return problem(
    check,
    `the simulated ${step} on ${where} fails: ${reason}`,
    'Do not serve this chain before that is explained: every attestation would end so.',
  );
}

async function costFinding(
  settings: ChainSettings,
  { rpc }: Provider,
  { sender, forwarder }: Trial,
  { commitGas, revealGas, calldataBytes }: Trialled,
): Promise<Finding> {
  const read = feeDataReader(settings);
  const [commit, reveal] = await Promise.all(calldataBytes.map((bytes) => read(rpc, sender, bytes)));
  const wei = commit && reveal ? feeOf(commit, commitGas) + feeOf(reveal, revealGas) : 0n;
  const [price, cap] = [(commit?.baseFee ?? 0n) + (commit?.tip ?? 0n), gweiToWei(settings.maxFeePerGasGwei)];
  const says =
    `simulated ${forwarder ? `through ${forwarder.address}` : 'by the key'}, ${settings.revealDelaySeconds} s apart: ` +
    `${commitGas} and ${revealGas} gas, ${formatEther(wei)} of the chain's coin at ${formatGwei(price)} gwei, ` +
    `at most ${formatEther((commitGas + revealGas) * cap)} in gas at the cap`;
  if (price <= cap) return ok(check, says);
  return warning(
    check,
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
async function commitAlone(
  providers: readonly Provider[],
  trial: Trial,
  reasons: string,
): Promise<Finding[]> {
  const asked = 'the reveal was not simulated';
  const todo = 'Ask with the URL of a provider that has eth_simulateV1, or attest one text and look.';
  if (trial.forwarder?.isOperator === false)
    return [notAsked(check, `${asked}, nor the commit, whose sender is no operator yet (${reasons})`, todo)];
  for (const { rpc } of providers) {
    try {
      const gas = await estimateGas(rpc, commitCall(trial));
      return [warning(check, `the commit takes ${gas} gas; ${asked} (${reasons})`, todo)];
    } catch (error) {
      if (error instanceof CallRevertedError)
        return [refusal(trial, new TrialFailedError('commit', error.reason))];
    }
  }
  return [unanswered(check, `${asked}, nor the commit (${reasons})`, todo)];
}
