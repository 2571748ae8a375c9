import type { Command } from 'commander';
import type { Address } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { laneName } from '../../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../../functions/domain/lane/lane-records.ts';
import { chainSigners } from '../../../functions/domain/lane/signers.ts';
import type { Services } from '../../../functions/domain/services.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import { chainOption, readKeyFile } from '../../deployment/arguments.ts';
import type { Deployment } from '../../deployment/command.ts';
import { forwardersOf, offeredChain } from '../../deployment/served-chain.ts';
import { type AdminCall, sendAdminCalls } from './admin-calls.ts';

/** Options of a command that changes the signers of a chain. */
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
      "a file with the private key of the forwarders' admin: the transactions are sent and not only printed",
      readKeyFile('--admin-key-file'),
    );
}

/** What such a command works with. `send` sends the admin's calls, if its key is given. */
export async function signerChange(
  deployment: Deployment,
  { chain: chainId, adminKeyFile: admin }: ChangeOptions,
) {
  const settings = await offeredChain(deployment, chainId);
  const services = await deployment.services();
  const chain = services.chain(chainId);
  const send = async (calls: readonly AdminCall[]) =>
    admin ? sendAdminCalls(chain, await deployment.chain(settings), admin, calls) : [];
  return { chainId, settings, services, chain, forwarders: await servedForwarders(services, settings), send };
}

/** The forwarders of the settings, and those that they named while a lane ran: what was attested through them can still be linked. */
async function servedForwarders(services: Services, settings: ChainSettings): Promise<Address[]> {
  const { chainId } = settings;
  const signers = (await chainSigners(services, chainId)).map(({ address }) => address);
  const states = await Promise.all(
    signers.map((address) => findLaneState(services.records, laneName(chainId, address))),
  );
  const own = new Set([...signers, (await services.signer()).address]);
  const former = states.flatMap((state) => state?.delegates ?? []).filter((delegate) => !own.has(delegate));
  return [...new Set([...forwardersOf(settings), ...former])];
}
