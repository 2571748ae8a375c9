import type { Command } from 'commander';
import { fieldList } from 'imprimatur-terminal/text';
import { v7 as uuidv7 } from 'uuid';
import type { Address } from 'viem';
import { createOrganization } from '../../../functions/domain/organization/organization.ts';
import { parseAddress, parseChainId, parseName } from '../../deployment/arguments.ts';
import { auditedRecords } from '../../deployment/audited-records.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { offeredChain } from '../../deployment/served-chain.ts';

interface Options {
  readonly name: string;
  readonly authority: Address;
  readonly defaultChain?: number;
}

export function orgCreate(group: Command, act: Act): void {
  group
    .command('create')
    .description(
      'Create an organisation. Its authority is fixed, and no other organisation may have the same.',
    )
    .requiredOption('--name <name>', 'for people; need not be unique', parseName)
    .requiredOption('--authority <address>', 'the address its attestations are attributed to', parseAddress)
    .option('--default-chain <id>', 'the chain of requests that name none', parseChainId)
    .action((options: Options) => act((deployment) => create(deployment, options)));
}

async function create(
  deployment: Deployment,
  { name, authority, defaultChain }: Options,
): Promise<CommandAnswer> {
  if (defaultChain !== undefined) await offeredChain(deployment, defaultChain);
  const now = deployment.now();
  const id = uuidv7({ msecs: now.getTime() });
  const json = { id, name, authorityAddress: authority, defaultChainId: defaultChain ?? null };
  const { id: _, ...details } = json;
  const records = auditedRecords(deployment, 'org create', () => ({ organizationId: id, details }));
  await createOrganization(records, { ...json, createdAt: now.toISOString() });
  const fields = { id, name, authority, 'default chain': defaultChain ?? null };
  const next = `Next: key create --org ${id}, and delegation status --org ${id} --chain ID`;
  return { json, text: `${fieldList(fields)}\n${next}` };
}
