import type { Command } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import { fieldList, printable, table } from 'imprimatur-terminal/text';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { findAttestations } from '../../functions/domain/attestation/attestation-records.ts';
import { readContent, readMetadata } from '../../functions/domain/attestation/content-records.ts';
import {
  eraseContent,
  findStoredContent,
  type StoredContent,
} from '../../functions/domain/operator/erase-content.ts';
import { listOrganizations } from '../../functions/domain/organization/organization.ts';
import type { Records } from '../../functions/domain/records.ts';
import { orgArgument, parseUuid } from '../deployment/arguments.ts';
import type { CommandResult, Deployment, ToAction } from '../deployment/command.ts';
import { auditedRecords, namedOrganization } from '../deployment/organizations.ts';
import { AttestationNotFoundError } from '../terminal/errors.ts';

export function attestationCommands(group: Command, toAction: ToAction): void {
  group
    .command('show')
    .description('Show the stored attestation with its content and metadata, but never its salt.')
    .argument('<id>', 'attestation ID', parseUuid)
    .action(toAction(show));
  group
    .command('erase')
    .description(eraseDescription)
    .argument(...orgArgument)
    .argument('<id>', 'attestation ID', parseUuid)
    .option('--yes', 'erase instead of only showing what would be erased')
    .addHelpText('after', eraseHelp)
    .action(toAction(erase));
}

async function show({ records }: Deployment, id: string): Promise<CommandResult> {
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
      ? 'content: access denied; ask a custodian to read it (docs/operations/reference/roles.md)'
      : `content${storedAgainText(attestation, content)}\n${content === undefined ? '-' : printable(content)}`,
  ];
  const shownMetadata = metadata === undefined ? null : JSON.parse(metadata);
  return { json: { ...row, metadata: shownMetadata, ...shown }, text: sections.join('\n\n') };
}

/** Content that the operators' role cannot read. */
const denied = Symbol('denied');

function unlessDenied(error: unknown): typeof denied {
  if (error instanceof Error && error.name === 'AccessDeniedException') return denied;
  throw error;
}

/** Attestations of one content share its stored bytes, so a later attestation can store them again. */
function storedAgainText({ erasedAt }: Attestation, content: string | undefined): string {
  return erasedAt !== undefined && content !== undefined
    ? ' (stored again by a later attestation of the same content)'
    : '';
}

/** Searches each organization, because the keys of rows start with the organization. */
async function findAnywhere(records: Records, id: string): Promise<Attestation> {
  const organizations = await listOrganizations(records);
  const keys = organizations.map((organization) => ({ organizationId: organization.id, id }));
  const found = (await findAttestations(records, keys)).find((row) => row !== undefined);
  if (!found) throw new AttestationNotFoundError(id);
  return found;
}

const eraseDescription =
  "Permanently erase the content of an attestation, and the metadata and URLs of the organization's " +
  'attestations of that content. Fails while one of them is pending or committed. On-chain data remains; ' +
  'the output lists what remains.';

const eraseHelp = helpText({
  examples: [
    'admin attestation erase Herald ATTESTATION_ID',
    'admin attestation erase Herald ATTESTATION_ID --yes',
  ],
  exitCodes: {
    0: 'the content is erased',
    1: 'failure',
    2: 'wrong usage',
    3: 'nothing was erased, because --yes is missing',
    130: 'interrupted',
  },
});

async function erase(
  deployment: Deployment,
  org: string,
  id: string,
  { yes = false }: { yes?: boolean },
): Promise<CommandResult> {
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const { chains } = await deployment.settings();
  const chainIds = chains.map(({ chainId }) => chainId);
  const found = await findStoredContent(deployment.records, { organizationId, id }, chainIds);
  const now = deployment.now();
  const hasRemains = found.remaining.length + found.parts.length > 0;
  const state = !hasRemains ? 'already' : yes ? 'now' : 'not yet';
  if (state === 'now') {
    const details = { attestationIds: found.remaining.map((attestation) => attestation.id) };
    const records = auditedRecords(deployment, 'attestation erase', () => ({ organizationId, details }));
    await eraseContent(records, found, now);
  }
  return erasureResult(organizationId, found, state, now);
}

/** Longest retention of DynamoDB's point-in-time recovery, in days. */
const backupDays = 35;

/** Failed attempts may have been sent, and even a reverted transaction shows its calldata. */
const onChainAttempts =
  'the commit, if it was sent, which hides its contents; and, if the reveal was sent or the attestation was revoked later, ' +
  'a transaction with the digest and the quote root';

const inService = [
  'contentCid',
  'digest',
  'quoteRoot',
  'salt',
  'transaction hashes',
  'times',
  'transactions of 30 days',
];

type State = 'already' | 'now' | 'not yet';

/** Lists erased and remaining data. Exit code 3 without --yes. */
function erasureResult(organizationId: string, found: StoredContent, state: State, now: Date): CommandResult {
  const { contentCid } = found;
  const attestations = found.attestations.map((attestation) => ({
    ...{ id: attestation.id, chainId: attestation.chainId, status: attestation.status },
    erasedAt: attestation.erasedAt ?? (state === 'now' ? now.toISOString() : null),
  }));
  const remains = describeRemains(found.attestations, backupEnd(attestations));
  const rows = attestations.map(({ id, chainId, status, erasedAt }) => [id, chainId, status, erasedAt]);
  const erased = state !== 'not yet';
  return {
    json: { organizationId, contentCid, erased, attestations, remains },
    text: [
      heading(state),
      table(['ATTESTATION', 'CHAIN', 'STATUS', 'ERASED'], rows),
      '',
      ...remainsText(remains),
    ].join('\n'),
    ...(erased ? {} : { exitCode: 3 }),
  };
}

function heading(state: State): string {
  if (state === 'already')
    return 'Nothing is left to erase: the content, metadata, and URLs are already erased.';
  if (state === 'now') return 'Erased the content, and the metadata and URLs of its attestations.';
  return 'Nothing was erased. Pass --yes to permanently erase the content, and the metadata and URLs of these attestations:';
}

function backupEnd(attestations: readonly { readonly erasedAt: string | null }[]): string | null {
  const last = attestations
    .map(({ erasedAt }) => erasedAt ?? '')
    .toSorted()
    .at(-1);
  if (!last) return null;
  return new Date(Date.parse(last) + backupDays * 86_400_000).toISOString();
}

function describeRemains(attestations: readonly Attestation[], backupsUntil: string | null) {
  const onChain = attestations
    .filter(({ status }) => status === 'confirmed')
    .map(
      ({ chainId, registryAddress, authorityAddress, attestationIndex, digest, quoteRoot, confirmedAt }) => ({
        ...{ chainId, registryAddress, authorityAddress, attestationIndex: attestationIndex ?? null },
        ...{ digest, quoteRoot, confirmedAt: confirmedAt ?? null },
      }),
    );
  return { onChain, ofFailedAttempts: onChainAttempts, inService, backupsUntil };
}

function remainsText({ onChain, backupsUntil }: ReturnType<typeof describeRemains>): string[] {
  return [
    'What remains:',
    ...onChain.map(
      (entry) =>
        `  on chain ${entry.chainId}, permanently: attestation ${entry.attestationIndex ?? '?'} of ${entry.authorityAddress} in registry ` +
        `${entry.registryAddress}, with digest ${entry.digest}, quote root ${entry.quoteRoot}, and time ` +
        `${entry.confirmedAt ?? ''}. Anyone who has the content can still prove that it was attested.`,
    ),
    `  on chain, permanently, for each failed attempt: ${onChainAttempts}.`,
    "  in the service: each attestation's CID, digest, quote root, salt, transaction hashes, and times, which keep requests " +
      'idempotent; its transactions for 30 days; and the audit entry of the erasure.',
    `  in backups: the erased data for ${backupDays} days in point-in-time recovery${backupsUntil ? `, until ${backupsUntil}` : ''}; ` +
      'other backups and exports until they are deleted.',
    '  elsewhere: copies of the publisher and of others, including on IPFS.',
  ];
}
