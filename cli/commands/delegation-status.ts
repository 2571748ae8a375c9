import type { Command } from 'commander';
import { findOrganization } from '../../functions/domain/organization.ts';
import type { Act, Answer } from '../answer.ts';
import { parseChainId, parseUuid } from '../arguments.ts';
import { readDelegation } from '../delegation.ts';
import type { Desk } from '../desk.ts';
import { fieldList } from '../field-list.ts';
import { offeredChain } from '../offered-chain.ts';

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
    .requiredOption('--org <id>', 'the organisation', parseUuid)
    .requiredOption('--chain <id>', 'the chain', parseChainId)
    .action((options: Options) => act((desk) => status(desk, options)));
}

async function status(desk: Desk, { org, chain: chainId }: Options): Promise<Answer> {
  const { id: organizationId, name, authorityAddress } = await findOrganization(desk.records, org);
  const settings = await offeredChain(desk, chainId);
  const { registryAddress } = settings;
  const delegation = await readDelegation(desk, settings, authorityAddress);
  const { delegateAddress, expectedDelegateAddress, active } = delegation;
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
