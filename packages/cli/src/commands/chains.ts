import type { Command } from 'commander';
import type { Chain } from 'imprimatur-client';
import { helpText } from 'imprimatur-terminal/help';
import { table } from 'imprimatur-terminal/text';
import { commonExitCodes } from '../help.ts';
import type { CommandResult, RunCommand, Session } from '../session.ts';

const help = helpText({
  examples: ['imprimatur chains', 'imprimatur chains --json'],
  exitCodes: commonExitCodes,
});

export function chains(program: Command, run: RunCommand): void {
  program
    .command('chains')
    .description('List the chains, and whether your authority delegated to the service on each.')
    .addHelpText('after', help)
    .action(() => run(show));
}

async function show({ client, signal }: Session): Promise<CommandResult> {
  const served = await client.chains({ signal });
  const rows = served.map((chain) => [
    ...[chain.chainId, chain.name, delegation(chain), chain.delegateAddress, chain.registryAddress],
  ]);
  const text = table(['CHAIN', 'NAME', 'DELEGATION', 'DELEGATE TO', 'REGISTRY'], rows);
  return { json: { chains: served }, text };
}

function delegation({ delegationActive }: Chain): string {
  if (delegationActive === null) return 'unknown: chain unreachable';
  return delegationActive ? 'active' : 'not active';
}
