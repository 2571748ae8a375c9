import type { Command } from 'commander';
import type { Address } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { ChainUnreachableError, ExpectedError } from '../../functions/domain/errors.ts';
import type { Chain } from '../../functions/domain/ports.ts';
import { revokeSigner } from '../../functions/domain/signers-change.ts';
import { type AdminCall, sendAdminCalls } from '../admin-call.ts';
import { adminKeyOption, readAdminKey } from '../admin-key.ts';
import type { Act, Answer } from '../answer.ts';
import { parseAddress, parseChainId } from '../arguments.ts';
import { delegateAddresses } from '../delegates.ts';
import type { Desk } from '../desk.ts';
import { missingSteps } from '../missing-steps.ts';
import { offeredChain } from '../offered-chain.ts';
import { removalCalls } from '../removal-calls.ts';
import { revocationAnswer } from '../revocation-answer.ts';
import { servedForwarders } from '../served-forwarders.ts';

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
      return act((desk) => revoke(desk, address, options, admin));
    });
}

async function revoke(
  desk: Desk,
  address: Address,
  { chain: chainId, force }: Options,
  admin: PrivateKeyAccount | undefined,
): Promise<Answer> {
  const settings = await offeredChain(desk, chainId);
  const services = await desk.services();
  const forwarders = await servedForwarders(services, settings);
  const chain = services.chain(chainId);
  const signers = await revokeSigner(services, chainId, address, { force: force ?? false });
  const active = signers.find(({ state }) => state === 'active')?.address ?? null;
  const calls = await removalCalls(chain, address, forwarders);
  const { sent, refusal } = await sendOrTell(chain, admin, calls);
  const missing = active ? await missingSteps(chain, active, forwarders).catch(unlessUnreachable) : [];
  const isDelegate = delegateAddresses(settings, await desk.signerAddress()).includes(address);
  return revocationAnswer({ chainId, address, active, calls, sent, refusal, missing, isDelegate });
}

/** The key is revoked already: whoever runs the command has to learn that, and what is left to do. */
async function sendOrTell(chain: Chain, admin: PrivateKeyAccount | undefined, calls: readonly AdminCall[]) {
  try {
    return { sent: admin ? await sendAdminCalls(chain, admin, calls) : [], refusal: null };
  } catch (error) {
    if (error instanceof ExpectedError) return { sent: [], refusal: error.message };
    throw error;
  }
}

function unlessUnreachable(error: unknown): [] {
  if (error instanceof ChainUnreachableError) return [];
  throw error;
}
