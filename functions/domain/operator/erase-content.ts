import { type Attestation, type AttestationKey, isTerminal } from '../attestation/attestation.ts';
import {
  attestationRow,
  contentGuard,
  findAttestation,
  guardedId,
} from '../attestation/attestation-records.ts';
import { contentPart, metadataRecord } from '../attestation/content-records.ts';
import { listAttestations } from '../attestation/list-attestations.ts';
import { removeUrlLookUp } from '../attestation/url-look-ups.ts';
import { RefusedError } from '../errors.ts';
import type { Change, Key, Records } from '../records.ts';

/** Records of one content of an organization. All attestations of the content share its bytes. */
export interface StoredContent {
  readonly contentCid: string;
  /** All attestations of the content, newest first. Each is confirmed or failed. */
  readonly attestations: readonly Attestation[];
  readonly remaining: readonly Attestation[];
  readonly parts: readonly Key[];
  /** Guards of the content, each with the ID of the newest attestation on its chain, read before the attestations. */
  readonly guards: readonly { readonly key: Key; readonly id: string | undefined }[];
}

const pageSize = 500;

/**
 * Reads all records of a content. Reads all rows of the organization, because no guard leads to rows of chains that are
 * no longer served.
 * @throws RefusedError for an unknown attestation, and while an attestation of the content is pending or committed
 */
export async function findStoredContent(
  records: Records,
  key: AttestationKey,
  chainIds: readonly number[],
): Promise<StoredContent> {
  const { organizationId, id } = key;
  const requested = await findAttestation(records, key);
  if (!requested)
    throw new RefusedError(
      `the organization ${organizationId} has no attestation with the ID ${id}; \`attestation show ${id}\` shows whose it is`,
    );
  const { contentCid } = requested;
  // Read before the rows: a later attestation changes a guard, and the erasure expects the guards unchanged.
  const guards = await readGuards(records, { organizationId, contentCid }, chainIds);
  const attestations = await attestationsOf(records, organizationId, contentCid);
  const unfinished = attestations.find((attestation) => !isTerminal(attestation));
  if (unfinished)
    throw new RefusedError(
      `the attestation ${unfinished.id} of this content is still ${unfinished.status} on chain ${unfinished.chainId}; ` +
        'nothing was erased. Run the same command again when it is confirmed or failed',
    );
  const { table, pk } = contentPart(organizationId, contentCid, 0);
  const parts = (await records.list({ table, pk, limit: 10 })).map((part) => part.key);
  const remaining = attestations.filter(({ erasedAt }) => erasedAt === undefined);
  return { contentCid, attestations, remaining, parts, guards };
}

async function readGuards(
  records: Records,
  { organizationId, contentCid }: Pick<Attestation, 'organizationId' | 'contentCid'>,
  chainIds: readonly number[],
): Promise<StoredContent['guards']> {
  const keys = chainIds.map((chainId) => contentGuard(organizationId, chainId, contentCid));
  const found = await records.getAll(keys);
  return keys.map((key, position) => {
    const guard = found[position];
    return { key, id: guard && guardedId(guard) };
  });
}

async function attestationsOf(records: Records, organizationId: string, contentCid: string) {
  const found: Attestation[] = [];
  let before: string | undefined;
  do {
    const page = await listAttestations(records, organizationId, { limit: pageSize, before });
    found.push(...page.attestations.filter((attestation) => attestation.contentCid === contentCid));
    before = page.next;
  } while (before !== undefined);
  return found;
}

/** Attestations erased in one write, with three changes each. Content, guards and an audit entry also fit in it. */
const attestationsPerWrite = 20;

/**
 * Erases the content, and the metadata and `url` of each attestation. The write that sets the
 * first `erasedAt` erases the content. After a crash, a second run finishes the work.
 * @throws RefusedError if the content was accepted again since it was read
 */
export async function eraseContent(records: Records, { remaining, parts, guards }: StoredContent, now: Date) {
  if (remaining.length + parts.length === 0) return;
  const erasure = [...guards.map(expectUnchanged), ...parts.map((key): Change => ({ key, remove: true }))];
  const changes = remaining.map((attestation) => erasureOf(attestation, now));
  await transact(records, [...erasure, ...changes.slice(0, attestationsPerWrite).flat()]);
  for (let first = attestationsPerWrite; first < changes.length; first += attestationsPerWrite) {
    await transact(records, changes.slice(first, first + attestationsPerWrite).flat());
  }
}

async function transact(records: Records, changes: readonly Change[]): Promise<void> {
  if (await records.transact(changes)) return;
  throw new RefusedError(
    'the same content was submitted again just now; run the same command again when that is confirmed or failed',
  );
}

/** Writes the guard's current value, because no form of `Change` only checks that a record is unchanged. */
function expectUnchanged({ key, id }: StoredContent['guards'][number]): Change {
  return id === undefined ? { key, remove: true, expect: { id } } : { key, set: { id }, expect: { id } };
}

function erasureOf(attestation: Attestation, now: Date): Change[] {
  const { status } = attestation;
  return [
    { key: metadataRecord(attestation), remove: true },
    ...removeUrlLookUp(attestation),
    {
      key: attestationRow(attestation),
      set: { erasedAt: now.toISOString(), url: undefined },
      expect: { status },
    },
  ];
}
