import type { Command } from 'commander';
import { laneName } from '../../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../../functions/domain/lane/lane-records.ts';
import { chainSigners } from '../../../functions/domain/lane/signers.ts';
import { activateSigner } from '../../../functions/domain/operator/change-signers.ts';
import type { Services } from '../../../functions/domain/services.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import type { Act, CommandAnswer, Deployment } from '../../deployment/command.ts';
import { type SignerKey, signerAlias } from '../../deployment/kms-signer-keys.ts';
import { forwardersOf } from '../../deployment/served-chain.ts';
import { CommandFailedError } from '../../terminal/errors.ts';
import { adminCallText, missingSteps, missingStepText, removalCalls, sentLines } from './admin-calls.ts';
import { type ChangeOptions, changeCommand, signerChange } from './signer-change.ts';

const description =
  'Replace the key that sends for the forwarders of a chain. Makes a new key and says what it needs on the chain; run ' +
  'again, it switches to that key as soon as all is there.';

export function signerRotate(group: Command, act: Act): void {
  changeCommand(group, 'rotate', description)
    .option('--wait', 'until all is there, instead of exit code 3')
    .action(act(rotate));
}

async function rotate(
  deployment: Deployment,
  options: ChangeOptions & { readonly wait?: true },
): Promise<CommandAnswer> {
  const { chainId, settings, services, chain, forwarders, send } = await signerChange(deployment, options);
  requireForwarder(settings);
  await requireNoPause(services, chainId);
  const signer = await nextSigner(deployment, services, chainId);
  const look = () => missingSteps(chain, signer.address, forwarders);
  let missing = await look();
  const sent = await send(missing.flatMap((step) => (step.step === 'addOperator' ? [step.call] : [])));
  while (options.wait && missing.length > 0) {
    await deployment.wait(Math.max(1, settings.blockTimeSeconds));
    missing = await look();
  }
  if (missing.length > 0) {
    const steps = missing.filter(({ step }) => sent.length === 0 || step !== 'addOperator');
    const text = [
      `The new signer of chain ${chainId} is ${signer.address} (${signer.keyId}). Nothing has been switched yet:`,
      ...sentLines(sent),
      ...steps.map(missingStepText),
      'Then run the same command again.',
    ].join('\n');
    return { json: { chainId, signer, switched: false, missing, sent }, text, exitCode: 3 };
  }
  const signers = await activateSigner(services, chainId, signer);
  const draining = signers.filter(({ state }) => state === 'draining');
  const removals = draining.map((one) => removalCalls(chain, one.address, forwarders));
  // They are for later, when the former keys are done.
  const calls = (await Promise.all(removals)).flat();
  const former = new Set(calls.map(({ operator }) => operator));
  const text = [
    `${signer.address} is the signer of chain ${chainId} from now on.`,
    ...sentLines(sent),
    ...[...former].map((address) => {
      const status = `lane status --chain ${chainId} --signer ${address}`;
      return `${address} sees its last transactions through. When ${status} shows none any more:`;
    }),
    ...calls.map(adminCallText),
  ].join('\n');
  return { json: { chainId, signer, sent, signers, calls, switched: true, missing: [] }, text };
}

/** Where authorities delegate to the key itself, another key would be another delegate. */
function requireForwarder(settings: ChainSettings): void {
  if (forwardersOf(settings).length > 0) return;
  throw new CommandFailedError(
    `on chain ${settings.chainId} authorities delegate to the key itself, so another key means that each of them delegates ` +
      'again; deploy a DelegateForwarder, make it the first of `delegates` in the settings, let the authorities ' +
      'delegate to it, and rotate then',
  );
}

/** The new key's lane would send at once, whatever the reason for which the old lane was paused. */
async function requireNoPause(services: Services, chainId: number): Promise<void> {
  const active = (await chainSigners(services, chainId)).find(({ state }) => state === 'active');
  const state = active && (await findLaneState(services.records, laneName(chainId, active.address)));
  if (state?.paused === undefined) return;
  throw new CommandFailedError(
    `lane ${state.lane} is paused (${state.paused}), and the new key would send at once; \`lane resume\` first`,
  );
}

/** The first of the deployment's keys that is free for the chain, made when there is none: until it is in use, it is found again. */
async function nextSigner(deployment: Deployment, services: Services, chainId: number): Promise<SignerKey> {
  const { signerKeys, stackName } = deployment;
  const taken = await takenAddresses(services, chainId);
  for (let number = 1; ; number++) {
    const alias = signerAlias(stackName, number);
    const found = await signerKeys.find(alias);
    if (!found) return signerKeys.create(alias);
    if (found !== 'unusable' && !taken.has(found.address)) return found;
  }
}

/** All signers of this chain, and the replaced ones of other chains: one of those may have leaked, and a key serves any chain. */
async function takenAddresses(services: Services, chainId: number): Promise<Set<string>> {
  const lists = await Promise.all(
    services.settings.chains.map(async (chain) => {
      const signers = await chainSigners(services, chain.chainId);
      return signers.filter(({ state }) => chain.chainId === chainId || state !== 'active');
    }),
  );
  return new Set(lists.flat().map(({ address }) => address));
}
