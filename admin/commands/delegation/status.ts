import type { Command } from 'commander';
import { fieldList } from 'imprimatur-terminal/text';
import { parseChainId } from '../../deployment/arguments.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { namedOrganization } from '../../deployment/named-organization.ts';
import { offeredChain } from '../../deployment/served-chain.ts';
import { readDelegation } from './read-delegation.ts';

interface Options {
  readonly org: string;
  readonly chain: number;
}

export function delegationStatus(group: Command, act: Act): void {
  group
    .command('status')
    .description(
      "Ask the chain whom an organisation's authority delegates to. Exit code 0 whether active or not: see `active`.",
    )
    .requiredOption('--org <org>', 'the id of the organisation, or its name if no other has the same')
    .requiredOption('--chain <id>', 'the chain', parseChainId)
    .action((options: Options) => act((deployment) => status(deployment, options)));
}

async function status(deployment: Deployment, { org, chain: chainId }: Options): Promise<CommandAnswer> {
  const { id: organizationId, name, authorityAddress } = await namedOrganization(deployment.records, org);
  const settings = await offeredChain(deployment, chainId);
  const delegation = await readDelegation(deployment, settings, authorityAddress);
  const { registryAddress, delegateAddress, expectedDelegateAddress, active } = delegation;
  const advice = active
    ? null
    : `From ${authorityAddress}, call delegate(${expectedDelegateAddress}) on ${registryAddress}, chain ${chainId}.`;
  const fields = {
    organisation: `${name} (${organizationId})`,
    chain: `${chainId} (${settings.name})`,
    registry: registryAddress,
    authority: authorityAddress,
    'delegates to': delegateAddress ?? 'nobody',
    'should be': expectedDelegateAddress,
    delegation: active ? 'active' : 'not active',
  };
  return {
    json: {
      ...{ organizationId, chainId, registryAddress, authorityAddress },
      ...{ delegateAddress, expectedDelegateAddress, active, advice },
    },
    text: [fieldList(fields), ...(advice === null ? [] : [advice])].join('\n'),
  };
}
