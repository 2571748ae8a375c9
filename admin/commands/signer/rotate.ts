import type { Command } from 'commander';
import type { Hash } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { laneName } from '../../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../../functions/domain/lane/lane-records.ts';
import { type ChainSigner, chainSigners } from '../../../functions/domain/lane/signers.ts';
import { activateSigner } from '../../../functions/domain/operator/change-signers.ts';
import type { Services } from '../../../functions/domain/services.ts';
import { parseChainId } from '../../deployment/arguments.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment, SignerKey } from '../../deployment/deployment.ts';
import { offeredChain, requireForwarders } from '../../deployment/served-chain.ts';
import { signerAlias } from '../../deployment/signer-alias.ts';
import { LanePausedError } from '../../terminal/errors.ts';
import {
  type AdminCall,
  adminCallText,
  adminKeyOption,
  readAdminKey,
  removalCalls,
  sendAdminCalls,
} from './admin-call.ts';
import { type MissingStep, missingSteps, missingStepText } from './missing-steps.ts';
import { servedForwarders } from './served-forwarders.ts';

interface Options {
  readonly chain: number;
  readonly adminKeyFile?: string;
  readonly wait?: true;
}

const description =
  'Replace the key that sends for the forwarders of a chain. Makes a new key and says what it needs on the chain; run ' +
  'again, it switches to that key as soon as all is there.';

export function signerRotate(group: Command, act: Act): void {
  group
    .command('rotate')
    .description(description)
    .requiredOption('--chain <id>', 'the chain', parseChainId)
    .option(...adminKeyOption)
    .option('--wait', 'until all is there, instead of exit code 3')
    .action((options: Options) => {
      const admin = readAdminKey(options.adminKeyFile);
      return act((deployment) => rotate(deployment, options, admin));
    });
}

async function rotate(
  deployment: Deployment,
  options: Options,
  admin: PrivateKeyAccount | undefined,
): Promise<CommandAnswer> {
  const { chain: chainId, wait } = options;
  const settings = await offeredChain(deployment, chainId);
  requireForwarders(settings);
  const services = await deployment.services();
  await requireNoPause(services, chainId);
  const forwarders = await servedForwarders(services, settings);
  const chain = services.chain(chainId);
  const signer = await nextSigner(deployment, services, chainId);
  const look = () => missingSteps(chain, signer.address, forwarders);
  let missing = await look();
  const sent = admin
    ? await sendAdminCalls(chain, await deployment.chain(settings), admin, callsOf(missing))
    : [];
  while (wait && missing.length > 0) {
    await deployment.wait(Math.max(1, settings.blockTimeSeconds));
    missing = await look();
  }
  if (missing.length > 0) return unreadyAnswer({ chainId, signer, missing, sent });
  const signers = await activateSigner(services, chainId, signer);
  const draining = signers.filter(({ state }) => state === 'draining');
  const calls = await Promise.all(draining.map((one) => removalCalls(chain, one.address, forwarders)));
  return rotatedAnswer({ chainId, signer, sent, signers, calls: calls.flat() });
}

/**
 * The new key's lane would send at once, whatever the reason for which the old lane was paused. @throws LanePausedError
 */
async function requireNoPause(services: Services, chainId: number): Promise<void> {
  const active = (await chainSigners(services, chainId)).find(({ state }) => state === 'active');
  const state = active && (await findLaneState(services.records, laneName(chainId, active.address)));
  if (state?.paused !== undefined) throw new LanePausedError(state.lane, state.paused);
}

function callsOf(missing: readonly MissingStep[]) {
  return missing.flatMap((step) => (step.step === 'addOperator' ? [step.call] : []));
}

/**
 * Finds the key that is to be the chain's next signer: the first of the deployment's keys that is free for the chain;
 * creates one when there is none. Until that key is in use, it finds the same key again.
 */
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

/**
 * Addresses of all signers of this chain, and of the replaced signers of other chains: one of those may have leaked,
 * and a key serves any chain.
 */
async function takenAddresses({ settings, ...services }: Services, chainId: number): Promise<Set<string>> {
  const lists = await Promise.all(
    settings.chains.map(async (chain) => {
      const signers = await chainSigners({ settings, ...services }, chain.chainId);
      return signers.filter(({ state }) => chain.chainId === chainId || state !== 'active');
    }),
  );
  return new Set(lists.flat().map(({ address }) => address));
}

interface Rotation {
  readonly chainId: number;
  readonly signer: SignerKey;
  /** Hashes of the admin's transactions. */
  readonly sent: readonly Hash[];
}

/** Answer when the new key exists and a step on the chain is missing. */
function unreadyAnswer(rotation: Rotation & { readonly missing: readonly MissingStep[] }): CommandAnswer {
  const { chainId, signer, missing, sent } = rotation;
  const isSent = sent.length > 0;
  const steps = missing.filter(({ step }) => !(isSent && step === 'addOperator')).map(missingStepText);
  const text = [
    `The new signer of chain ${chainId} is ${signer.address} (${signer.keyId}). Nothing has been switched yet:`,
    ...sentLines(sent),
    ...steps,
    'Then run the same command again.',
  ].join('\n');
  return { json: { chainId, signer, switched: false, missing, sent }, text, exitCode: 3 };
}

/**
 * Answer when the new key sends from now on. The calls remove the former keys from the forwarders; they are for later,
 * when those keys are done.
 */
function rotatedAnswer(
  rotation: Rotation & { readonly signers: readonly ChainSigner[]; readonly calls: readonly AdminCall[] },
): CommandAnswer {
  const { chainId, signer, sent, calls } = rotation;
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
  return { json: { ...rotation, switched: true, missing: [] }, text };
}

function sentLines(sent: readonly Hash[]): string[] {
  return sent.map((hash) => `The admin's transaction was sent: ${hash}`);
}
