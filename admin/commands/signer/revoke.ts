import type { Command } from 'commander';
import type { Address } from 'viem';
import { ExpectedError } from '../../../functions/domain/errors.ts';
import { revokeSigner } from '../../../functions/domain/operator/change-signers.ts';
import { parseAddress } from '../../deployment/arguments.ts';
import type { Act, CommandAnswer, Deployment } from '../../deployment/command.ts';
import { delegateAddresses } from '../../deployment/served-chain.ts';
import {
  adminCallText,
  missingSteps,
  missingStepText,
  removalCalls,
  sentLines,
  unreachable,
} from './admin-calls.ts';
import { type ChangeOptions, changeCommand, signerChange } from './signer-change.ts';

const description =
  'Stop using a key that may have leaked: at once and for good. The newest other signer goes on. What the key has ' +
  'sent is only given up when the forwarders do not know it any more, so their admin has to act too.';

type RevokeOptions = ChangeOptions & { readonly force?: true };

export function signerRevoke(group: Command, act: Act): void {
  changeCommand(group, 'revoke', description)
    .argument('<address>', 'the key', parseAddress)
    .option('--force', 'even if it is the last one: nothing is sent until another is added')
    .action(act(revoke));
}

async function revoke(
  deployment: Deployment,
  address: Address,
  options: RevokeOptions,
): Promise<CommandAnswer> {
  const revocation = await revokeKey(deployment, address, options);
  return {
    json: revocation,
    text: [revoked(revocation), ...toDo(revocation), ...lacking(revocation)].join('\n'),
  };
}

async function revokeKey(deployment: Deployment, address: Address, options: RevokeOptions) {
  const { chainId, settings, services, chain, forwarders, send } = await signerChange(deployment, options);
  const signers = await revokeSigner(services, chainId, address, { force: options.force ?? false });
  const active = signers.find(({ state }) => state === 'active')?.address ?? null;
  const calls = await removalCalls(chain, address, forwarders);
  // The key is revoked already, so the answer has to say so, and what is left to do, even when sending fails.
  const outcome = await send(calls).then((sent) => ({ sent, refusal: null }), refused);
  const missing = active ? await missingSteps(chain, active, forwarders).catch(unreachable([])) : [];
  const isDelegate = delegateAddresses(settings, await deployment.signerAddress()).includes(address);
  return { chainId, address, active, calls, ...outcome, missing, isDelegate };
}

type Revocation = Awaited<ReturnType<typeof revokeKey>>;

function refused(error: unknown) {
  if (error instanceof ExpectedError) return { sent: [], refusal: error.message };
  throw error;
}

function revoked({ chainId, address, active }: Revocation): string {
  const next =
    active === null
      ? `nobody sends on chain ${chainId} now; add a signer with signer rotate`
      : `${active} goes on`;
  return `${address} signs nothing new on chain ${chainId}: ${next}.`;
}

function toDo({ address, calls, sent, refusal, isDelegate }: Revocation): string[] {
  const authorities = [
    `Authorities that delegate to ${address} have to revoke or change their delegation.`,
    "Take `key` out of the chain's `delegates` in the settings, name a forwarder there, and deploy.",
  ];
  const leaked = 'Whoever has the key can use it until this is done:';
  const left = sent.length > 0 || calls.length === 0 ? [] : [leaked, ...calls.map(adminCallText)];
  return [
    ...(isDelegate ? authorities : []),
    ...(refusal === null ? [] : [`The admin's transaction was not sent: ${refusal}.`]),
    ...sentLines(sent),
    ...left,
  ];
}

function lacking({ active, missing }: Revocation): string[] {
  if (missing.length === 0) return [];
  return [`${active} cannot send as it is:`, ...missing.map(missingStepText)];
}
