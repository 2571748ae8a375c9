import type { Command } from 'commander';
import type { Address, Hash } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Chain } from '../../../functions/domain/chain.ts';
import { ChainUnreachableError, ExpectedError } from '../../../functions/domain/errors.ts';
import { revokeSigner } from '../../../functions/domain/operator/change-signers.ts';
import { parseAddress, parseChainId } from '../../deployment/arguments.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { ChainView, Deployment } from '../../deployment/deployment.ts';
import { delegateAddresses, offeredChain } from '../../deployment/served-chain.ts';
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
  readonly force?: true;
}

const description =
  'Stop using a key that may have leaked: at once and for good. The newest other signer goes on. What the key has ' +
  'sent is only given up when the forwarders do not know it any more, so their admin has to act too.';

export function signerRevoke(group: Command, act: Act): void {
  group
    .command('revoke')
    .description(description)
    .argument('<address>', 'the key', parseAddress)
    .requiredOption('--chain <id>', 'the chain', parseChainId)
    .option(...adminKeyOption)
    .option('--force', 'even if it is the last one: nothing is sent until another is added')
    .action((address: Address, options: Options) => {
      const admin = readAdminKey(options.adminKeyFile);
      return act((deployment) => revoke(deployment, address, options, admin));
    });
}

async function revoke(
  deployment: Deployment,
  address: Address,
  { chain: chainId, force }: Options,
  admin: PrivateKeyAccount | undefined,
): Promise<CommandAnswer> {
  const settings = await offeredChain(deployment, chainId);
  const services = await deployment.services();
  const forwarders = await servedForwarders(services, settings);
  const chain = services.chain(chainId);
  const signers = await revokeSigner(services, chainId, address, { force: force ?? false });
  const active = signers.find(({ state }) => state === 'active')?.address ?? null;
  const calls = await removalCalls(chain, address, forwarders);
  const { sent, refusal } = await sendOrTell(chain, () => deployment.chain(settings), admin, calls);
  const missing = active ? await missingSteps(chain, active, forwarders).catch(unlessUnreachable) : [];
  const isDelegate = delegateAddresses(settings, await deployment.signerAddress()).includes(address);
  return revocationAnswer({ chainId, address, active, calls, sent, refusal, missing, isDelegate });
}

/** The key is revoked already, so the answer has to say so, and what is left to do, even when sending fails. */
async function sendOrTell(
  chain: Chain,
  view: () => Promise<ChainView>,
  admin: PrivateKeyAccount | undefined,
  calls: readonly AdminCall[],
) {
  try {
    return { sent: admin ? await sendAdminCalls(chain, await view(), admin, calls) : [], refusal: null };
  } catch (error) {
    if (error instanceof ExpectedError) return { sent: [], refusal: error.message };
    throw error;
  }
}

function unlessUnreachable(error: unknown): [] {
  if (error instanceof ChainUnreachableError) return [];
  throw error;
}

/** Result of `signer revoke`. */
export interface Revocation {
  readonly chainId: number;
  readonly address: Address;
  /** Address of the signer that sends from now on; `null` when there is none. */
  readonly active: Address | null;
  /** Calls that the forwarders' admin has to make. */
  readonly calls: readonly AdminCall[];
  /** Hashes of the admin's transactions that this command sent. */
  readonly sent: readonly Hash[];
  /** Reason why the admin's transactions could not be sent; `null` when there is none. */
  readonly refusal: string | null;
  /** Steps that the active signer lacks on the chain. */
  readonly missing: readonly MissingStep[];
  /** Whether authorities may have delegated to the key itself. */
  readonly isDelegate: boolean;
}

function revocationAnswer(revocation: Revocation): CommandAnswer {
  return {
    json: { ...revocation },
    text: [revoked(revocation), ...toDo(revocation), ...lacking(revocation)].join('\n'),
  };
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
  const refused = refusal === null ? [] : [`The admin's transaction was not sent: ${refusal}.`];
  return [...(isDelegate ? authorities : []), ...refused, ...forwarderLines(calls, sent)];
}

function forwarderLines(calls: readonly AdminCall[], sent: readonly Hash[]): string[] {
  if (sent.length > 0) return sent.map((hash) => `The admin's transaction was sent: ${hash}`);
  if (calls.length === 0) return [];
  return ['Whoever has the key can use it until this is done:', ...calls.map(adminCallText)];
}

function lacking({ active, missing }: Revocation): string[] {
  if (missing.length === 0) return [];
  return [`${active} cannot send as it is:`, ...missing.map(missingStepText)];
}
