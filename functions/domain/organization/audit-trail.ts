import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';
import type { Change, Fields, Key, Records } from '../records.ts';
import { formOf, map, parseRecord } from '../stored-record.ts';

const auditActions = [
  'org create',
  'org update',
  'key create',
  'key revoke',
  'attestation erase',
  'settings set',
  'webhook create',
  'webhook remove',
  'webhook rotate',
  'webhook update',
  'webhook replay',
] as const;

/** An operator's action on an organization or the deployment, by the name of its command. */
export type AuditAction = (typeof auditActions)[number];

/** The organization of an entry, and its details: never an API key or content. */
export interface AuditSubject {
  readonly organizationId: string;
  readonly details: Fields;
}

/** An entry as stored. The record's key contains its ID. */
const entryForm = formOf({
  organizationId: z.string(),
  details: map,
  at: z.string(),
  /** The operator, as reported by their own machine. A note, not a proof. */
  by: z.string(),
  action: z.enum(auditActions),
});

/** An entry. Its ID is a UUIDv7, so entries sort by time. */
export type AuditEntry = z.output<typeof entryForm> & { readonly id: string };

/** Trail of changes to the whole deployment, used in place of an organization's ID. */
export const deploymentTrail = 'deployment';

/** DynamoDB's limit of changes in a transaction. */
const maxChanges = 100;

function auditRecord(organizationId: string, id: string): Key {
  return { table: 'organizations', pk: `audit#${organizationId}`, sk: id };
}

interface Action {
  readonly action: AuditAction;
  readonly by: string;
  readonly now: Date;
}

function entryOf({ action, by, now }: Action, { organizationId, details }: AuditSubject, id: string): Change {
  const put = { organizationId, action, by, at: now.toISOString(), details };
  return { key: auditRecord(organizationId, id), put };
}

/** Writes an entry for an action that changes no records. */
export async function recordAction(records: Records, action: Action, subject: AuditSubject): Promise<void> {
  await records.update(entryOf(action, subject, uuidv7({ msecs: action.now.getTime() })));
}

/** Wraps a store; its transactions also write the audit entry. All transactions of a command write the same entry. */
export function withAudit(
  records: Records,
  action: Action,
  subjectOf: (changes: readonly Change[]) => AuditSubject,
): Records {
  const id = uuidv7({ msecs: action.now.getTime() });
  return {
    get: (key) => records.get(key),
    getAll: (keys) => records.getAll(keys),
    list: (range) => records.list(range),
    update: (change) => records.update(change),
    due: (now, limit) => records.due(now, limit),
    inFlight: (organizationId, limit) => records.inFlight(organizationId, limit),
    transact: (changes) => transactWith(records, entryOf(action, subjectOf(changes), id), changes),
  };
}

async function transactWith(records: Records, entry: Change, changes: readonly Change[]): Promise<boolean> {
  if (changes.length < maxChanges) return records.transact([...changes, entry]);
  // The transaction is full. An entry for a change that then fails is better than a change without an entry.
  await records.transact([entry]);
  return records.transact(changes);
}

/** Reads the subject from a transaction that changes a key, because a new key's ID is only there. */
export function apiKeySubject(changes: readonly Change[], details: Fields = {}): AuditSubject {
  const [change] = changes.filter(({ key }) => key.sk.startsWith('key#'));
  if (!change) throw new Error('the transaction changes no API key');
  const { pk: organizationId, sk } = change.key;
  return { organizationId, details: { keyId: sk.slice('key#'.length), ...details } };
}

/** Lists an organization's entries, oldest first. */
export async function auditTrail(records: Records, organizationId: string): Promise<AuditEntry[]> {
  const { table, pk } = auditRecord(organizationId, '');
  const stored = await records.list({ table, pk });
  return stored.map(({ key, fields }) => ({ ...parseRecord('audit entry', entryForm, fields), id: key.sk }));
}
