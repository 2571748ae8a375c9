import type { Command } from 'commander';
import { fieldList, table } from 'imprimatur-terminal/text';
import { type Address, formatEther } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Chain } from '../../../functions/domain/chain.ts';
import { laneName } from '../../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../../functions/domain/lane/lane-records.ts';
import { type ChainSigner, chainSigners } from '../../../functions/domain/lane/signers.ts';
import { activateSigner, revokeSigner } from '../../../functions/domain/operator/change-signers.ts';
import type { Services } from '../../../functions/domain/services.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import { chainOption, parseAddress, readKeyFile } from '../../deployment/arguments.ts';
import type { CommandResult, Deployment, ToAction } from '../../deployment/command.ts';
import { type SignerKey, signerAlias } from '../../deployment/kms-signer-keys.ts';
import { delegateAddresses, forwardersOf, servedChain } from '../../deployment/served-chain.ts';
import { CommandFailedError } from '../../terminal/errors.ts';
import {
  type AdminCall,
  adminCallText,
  ifUnreachable,
  missingSteps,
  missingStepText,
  removalCalls,
  type SentCalls,
  sendAdminCalls,
  sentLines,
} from './admin-calls.ts';

async function list(
  deployment: Deployment,
  { chain: chainId }: { readonly chain: number },
): Promise<CommandResult> {
  const settings = await servedChain(deployment, chainId);
  const [services, keyAddress] = await Promise.all([deployment.services(), deployment.signerAddress()]);
  const known = await chainSigners(services, chainId);
  const chain = services.chain(chainId);
  const signers = await Promise.all(known.map((signer) => describe(signer, chain)));
  const delegates = delegateAddresses(settings, keyAddress);
  return { json: { chainId, delegates, signers }, text: listText(settings, delegates, signers) };
}

async function describe({ address, keyId, state }: ChainSigner, chain: Chain) {
  const { settings } = chain;
  const balanceWei = await chain.balance(address);
  const operatorOf: Address[] = [];
  for (const forwarder of forwardersOf(settings)) {
    if (await chain.isOperator(forwarder, address)) operatorOf.push(forwarder);
  }
  return {
    address,
    state,
    lane: laneName(settings.chainId, address),
    keyId: keyId ?? null,
    balanceWei,
    operatorOf,
  };
}

type SignerView = Awaited<ReturnType<typeof describe>>;

function listText(
  settings: ChainSettings,
  delegates: readonly Address[],
  signers: readonly SignerView[],
): string {
  const fields = { chain: `${settings.chainId} (${settings.name})`, delegates: delegates.join(', ') };
  const rows = signers.map(({ address, state, balanceWei, operatorOf, keyId }) => [
    ...[address, state, formatEther(balanceWei), operatorOf.join(', ') || null, keyId],
  ]);
  const unfunded = signers.find(({ state, balanceWei }) => state === 'active' && balanceWei === 0n);
  return [
    fieldList(fields),
    table(['SIGNER', 'STATE', 'BALANCE', 'OPERATOR OF', 'KEY'], rows),
    ...(unfunded ? [`Fund ${unfunded.address}: without funds for gas, nothing is attested.`] : []),
  ].join('\n');
}

export interface ChangeOptions {
  readonly chain: number;
  readonly adminKeyFile?: PrivateKeyAccount;
}

/** Adds a command that changes the signers of a chain. With a multisig, the printed calldata is used instead of the option. */
export function changeCommand(group: Command, name: string, description: string): Command {
  return group
    .command(name)
    .description(description)
    .requiredOption(...chainOption)
    .option(
      '--admin-key-file <path>',
      "file with the private key of the forwarders' admin, to send the transactions instead of printing them",
      readKeyFile('--admin-key-file'),
    );
}

/** Prepares a command of `changeCommand`. `send` sends the admin's calls if there is a key. */
export async function signerChange(
  deployment: Deployment,
  { chain: chainId, adminKeyFile: admin }: ChangeOptions,
) {
  const settings = await servedChain(deployment, chainId);
  const services = await deployment.services();
  const chain = services.chain(chainId);
  const send = async (calls: readonly AdminCall[]): Promise<SentCalls> =>
    admin
      ? sendAdminCalls(chain, () => deployment.chain(settings), admin, calls)
      : { sent: [], refusal: null };
  return { chainId, settings, services, chain, forwarders: await servedForwarders(services, settings), send };
}

/** Current and former forwarders of the settings. Links of attestations that a former forwarder made still need it. */
async function servedForwarders(services: Services, settings: ChainSettings): Promise<Address[]> {
  const { chainId } = settings;
  const signers = (await chainSigners(services, chainId)).map(({ address }) => address);
  const states = await Promise.all(
    signers.map((address) => findLaneState(services.records, laneName(chainId, address))),
  );
  const keys = new Set([...signers, (await services.signer()).address]);
  const former = states.flatMap((state) => state?.delegates ?? []).filter((delegate) => !keys.has(delegate));
  return [...new Set([...forwardersOf(settings), ...former])];
}

const rotateDescription =
  "Replace the signing key of a chain's forwarders. The first run creates a key and prints the steps that remain on the " +
  'chain. Run it again after those steps to switch to the key.';

export function signerCommands(group: Command, toAction: ToAction): void {
  group
    .command('list', { isDefault: true })
    .description('List the signing keys and the delegates of a chain.')
    .requiredOption(...chainOption)
    .action(toAction(list));
  changeCommand(group, 'rotate', rotateDescription)
    .option('--wait', 'wait for the remaining steps instead of exiting with code 3')
    .action(toAction(rotate));
  changeCommand(group, 'revoke', revokeDescription)
    .argument('<address>', 'address of the key', parseAddress)
    .option('--force', 'revoke even the last key; nothing is sent until another is added')
    .action(toAction(revoke));
}

async function rotate(
  deployment: Deployment,
  options: ChangeOptions & { readonly wait?: true },
): Promise<CommandResult> {
  const { chainId, settings, services, chain, forwarders, send } = await signerChange(deployment, options);
  requireForwarder(settings);
  await requireNoPause(services, chainId);
  const signer = await nextSigner(deployment, services, chainId);
  const findMissing = () => missingSteps(chain, signer.address, forwarders);
  let missing = await findMissing();
  const additions = missing.flatMap((step) => (step.step === 'addOperator' ? [step.call] : []));
  const { sent, refusal } = await send(additions);
  if (refusal && sent.length === 0) throw refusal;
  if (refusal) throw new CommandFailedError(`${refusal.message}; already sent: ${sent.join(', ')}`);
  while (options.wait && missing.length > 0) {
    await deployment.wait(Math.max(1, settings.blockTimeSeconds));
    missing = await findMissing();
  }
  if (missing.length > 0) {
    const steps = missing.filter(({ step }) => sent.length === 0 || step !== 'addOperator');
    const text = [
      `The new signer of chain ${chainId} is ${signer.address} (${signer.keyId}). It is not in use yet.`,
      ...sentLines(sent),
      'Remaining steps:',
      ...steps.map(missingStepText),
      'Then run the same command again.',
    ].join('\n');
    return { json: { chainId, signer, switched: false, missing, sent }, text, exitCode: 3 };
  }
  const signers = await activateSigner(services, chainId, signer);
  const draining = signers.filter(({ state }) => state === 'draining');
  const removals = draining.map((former) => removalCalls(chain, former.address, forwarders));
  // The admin sends these later, when the former keys have no pending transactions.
  const calls = (await Promise.all(removals)).flat();
  const former = new Set(calls.map(({ operator }) => operator));
  const text = [
    `${signer.address} is now the signer of chain ${chainId}.`,
    ...sentLines(sent),
    ...[...former].map((address) => {
      const status = `lane status --chain ${chainId} --signer ${address}`;
      return `${address} still settles its last transactions. When ${status} shows none:`;
    }),
    ...calls.map(adminCallText),
  ].join('\n');
  return { json: { chainId, signer, sent, signers, calls, switched: true, missing: [] }, text };
}

/** Without a forwarder, a new key would be a new delegate. */
function requireForwarder(settings: ChainSettings): void {
  if (forwardersOf(settings).length > 0) return;
  throw new CommandFailedError(
    `on chain ${settings.chainId}, authorities delegate to the key itself, so each of them would have to delegate again; ` +
      'deploy a DelegateForwarder, put it first in `delegates` in the settings, ask the authorities to delegate to it, ' +
      'and then rotate',
  );
}

/** The new key's lane would send despite the reason for the pause. */
async function requireNoPause(services: Services, chainId: number): Promise<void> {
  const active = (await chainSigners(services, chainId)).find(({ state }) => state === 'active');
  const state = active && (await findLaneState(services.records, laneName(chainId, active.address)));
  if (state?.paused === undefined) return;
  throw new CommandFailedError(
    `lane ${state.lane} is paused (${state.paused}), and the new key would send immediately; run \`lane resume\` first`,
  );
}

/** Finds the deployment's first key that is free for the chain, or creates one. A repeated run finds it again. */
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

/** All signers of this chain, and replaced ones of other chains, which may have leaked. */
async function takenAddresses(services: Services, chainId: number): Promise<Set<string>> {
  const lists = await Promise.all(
    services.settings.chains.map(async (chain) => {
      const signers = await chainSigners(services, chain.chainId);
      return signers.filter(({ state }) => chain.chainId === chainId || state !== 'active');
    }),
  );
  return new Set(lists.flat().map(({ address }) => address));
}

const revokeDescription =
  'Permanently stop using a key that may have leaked. If it is active, the newest other signer takes over. ' +
  'The admin of the forwarders has to remove the key too; until then, the service waits for the ' +
  "key's pending transactions.";

type RevokeOptions = ChangeOptions & { readonly force?: true };

async function revoke(
  deployment: Deployment,
  address: Address,
  options: RevokeOptions,
): Promise<CommandResult> {
  const revocation = await revokeKey(deployment, address, options);
  return {
    json: revocation,
    text: [revocationText(revocation), ...adviceText(revocation), ...remainingSteps(revocation)].join('\n'),
  };
}

async function revokeKey(deployment: Deployment, address: Address, options: RevokeOptions) {
  const { chainId, settings, services, chain, forwarders, send } = await signerChange(deployment, options);
  const signers = await revokeSigner(services, chainId, address, { force: options.force ?? false });
  const active = signers.find(({ state }) => state === 'active')?.address ?? null;
  const calls = await removalCalls(chain, address, forwarders);
  // The key is revoked already, so the result must report it even if sending fails.
  const { sent, refusal } = await send(calls);
  const missing = active ? await missingSteps(chain, active, forwarders).catch(ifUnreachable([])) : [];
  const isDelegate = delegateAddresses(settings, await deployment.signerAddress()).includes(address);
  return { chainId, address, active, calls, sent, refusal: refusal?.message ?? null, missing, isDelegate };
}

type Revocation = Awaited<ReturnType<typeof revokeKey>>;

function revocationText({ chainId, address, active }: Revocation): string {
  const next =
    active === null ? `no signer is left; to add one, run signer rotate` : `the active signer is ${active}`;
  return `${address} is revoked on chain ${chainId}: ${next}.`;
}

function adviceText({ address, calls, sent, refusal, isDelegate }: Revocation): string[] {
  const authorities = [
    `Ask authorities that delegate to ${address} to revoke or change their delegation.`,
    "Replace `key` in the chain's `delegates` in the settings with a forwarder, and deploy.",
  ];
  const leaked = 'Anyone who has the key can use it until this is done:';
  const unsent = calls.slice(sent.length).map(adminCallText);
  return [
    ...(isDelegate ? authorities : []),
    ...(refusal === null ? [] : [`Sending the admin's transactions failed: ${refusal}.`]),
    ...sentLines(sent),
    ...(unsent.length === 0 ? [] : [leaked, ...unsent]),
  ];
}

function remainingSteps({ active, missing }: Revocation): string[] {
  if (missing.length === 0) return [];
  return [`${active} cannot send yet:`, ...missing.map(missingStepText)];
}
