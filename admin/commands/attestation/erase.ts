import type { Command } from 'commander';
import { eraseContent, findStoredContent } from '../../../functions/domain/operator/erase-content.ts';
import { parseUuid } from '../../deployment/arguments.ts';
import { auditedRecords } from '../../deployment/audited-records.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { namedOrganization } from '../../deployment/named-organization.ts';
import { erasureAnswer } from './erasure-answer.ts';

const description =
  'Erase what is stored of the content of an attestation: the content itself, and the metadata and url of each attestation ' +
  'of the organisation that is of this content, on any chain. Cannot be undone, and cannot reach what is on-chain: the answer ' +
  'says what remains. Refused while one of them is pending or committed. Without --yes it only says what it would erase.';

export function attestationErase(group: Command, act: Act): void {
  group
    .command('erase')
    .description(description)
    .argument('<org>', 'the id of its organisation, or its name if no other has the same')
    .argument('<id>', "the attestation's id", parseUuid)
    .option('--yes', 'erase it')
    .action((org: string, id: string, { yes = false }: { yes?: boolean }) =>
      act((deployment) => erase(deployment, { org, id, yes })),
    );
}

async function erase(
  deployment: Deployment,
  { org, id, yes }: { org: string; id: string; yes: boolean },
): Promise<CommandAnswer> {
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const { chains } = await deployment.settings();
  const chainIds = chains.map(({ chainId }) => chainId);
  const found = await findStoredContent(deployment.records, { organizationId, id }, chainIds);
  const now = deployment.now();
  const isLeft = found.remaining.length + found.parts.length > 0;
  const state = !isLeft ? 'already' : yes ? 'now' : 'not yet';
  if (state === 'now') {
    const details = { attestationIds: found.remaining.map((attestation) => attestation.id) };
    const records = auditedRecords(deployment, 'attestation erase', () => ({ organizationId, details }));
    await eraseContent(records, found, now);
  }
  return erasureAnswer(found, { organizationId, state, now });
}
