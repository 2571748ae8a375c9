import type { Command } from 'commander';
import { fieldList, printable } from 'imprimatur-terminal/text';
import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import { findAttestations } from '../../../functions/domain/attestation/attestation-records.ts';
import { readContent, readMetadata } from '../../../functions/domain/attestation/content-records.ts';
import { listOrganizations } from '../../../functions/domain/organization/organization.ts';
import type { Records } from '../../../functions/domain/records.ts';
import { parseUuid } from '../../deployment/arguments.ts';
import type { Act, CommandAnswer, Deployment } from '../../deployment/command.ts';
import { AttestationNowhereError } from '../../terminal/errors.ts';

export function attestationShow(group: Command, act: Act): void {
  group
    .command('show')
    .description(
      'Show all that is stored of an attestation, its content and metadata too unless they were erased; never its salt.',
    )
    .argument('<id>', "the attestation's id", parseUuid)
    .action(act(show));
}

async function show({ records }: Deployment, id: string): Promise<CommandAnswer> {
  const attestation = await findAnywhere(records, id);
  const [content, metadata] = await Promise.all([
    readContent(records, attestation).catch(unlessDenied),
    readMetadata(records, attestation),
  ]);
  const shown = content === denied ? { content: null, contentDenied: true } : { content: content ?? null };
  // The salt hides a commit until its reveal.
  const { salt: _, organizationId, status, batch, ...rest } = attestation;
  const committedWith = batch && { batch: `${batch.position} of nonce ${batch.nonce} of lane ${batch.lane}` };
  const row = { ...{ id, organizationId, status }, ...rest, ...committedWith };
  const sections = [
    fieldList(row),
    `metadata\n${metadata === undefined ? '-' : printable(metadata)}`,
    content === denied
      ? 'content: you may not read it; a custodian may (docs/operations/reference/roles.md)'
      : `content${storedAgain(attestation, content)}\n${content === undefined ? '-' : printable(content)}`,
  ];
  const shownMetadata = metadata === undefined ? null : JSON.parse(metadata);
  return { json: { ...row, metadata: shownMetadata, ...shown }, text: sections.join('\n\n') };
}

/** Stands for a content that the stack's role for operators may not read. */
const denied = Symbol('denied');

function unlessDenied(error: unknown): typeof denied {
  if (error instanceof Error && error.name === 'AccessDeniedException') return denied;
  throw error;
}

/** Attestations of one content share its stored bytes: a later one on another chain, or a new try, stores them again. */
function storedAgain({ erasedAt }: Attestation, content: string | undefined): string {
  return erasedAt !== undefined && content !== undefined
    ? ' (stored again by a later attestation of it)'
    : '';
}

/** A row's key begins with its organisation; organisations are few enough to look in each of them. */
async function findAnywhere(records: Records, id: string): Promise<Attestation> {
  const organizations = await listOrganizations(records);
  const keys = organizations.map((organization) => ({ organizationId: organization.id, id }));
  const found = (await findAttestations(records, keys)).find((row) => row !== undefined);
  if (!found) throw new AttestationNowhereError(id);
  return found;
}
