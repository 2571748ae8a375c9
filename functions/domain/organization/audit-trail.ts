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

/** An operator's action on an organization or the deployment, as the command line names it. */
export type AuditAction = (typeof auditActions)[number];

/** The organization of an entry, and the details; never an API key, and nothing of a publisher's content. */
export interface AuditSubject {
  readonly organizationId: string;
  readonly details: Fields;
}

/** An entry as it is stored: its key has the id. */
const entryForm = formOf({
  organizationId: z.string(),
  details: map,
  at: z.string(),
  /** The operator, as their own machine says: a note for people, and no proof. */
  by: z.string(),
  action: z.enum(auditActions),
});

/** Its id is a UUIDv7: entries sort by time. */
export type AuditEntry = z.output<typeof entryForm> & { readonly id: string };

/** Trail of what concerns no organization but the whole deployment, in place of an organization's id. */
export const deploymentTrail = 'deployment';

/** DynamoDB's limit of changes in a transaction. */
const maxChanges = 100;

function auditRecord(organizationId: string, id: string): Key {
  return { table: 'organizations', pk: `audit#${organizationId}`, sk: id };
}

interface Act {
  readonly action: AuditAction;
  readonly by: string;
  readonly now: Date;
}

function entryOf({ action, by, now }: Act, { organizationId, details }: AuditSubject, id: string): Change {
  const put = { organizationId, action, by, at: now.toISOString(), details };
  return { key: auditRecord(organizationId, id), put };
}

/** Writes an entry of an act that changes no records. */
export async function noteAct(records: Records, act: Act, subject: AuditSubject): Promise<void> {
  await records.update(entryOf(act, subject, uuidv7({ msecs: act.now.getTime() })));
}

/**
 * The same records, except that every transaction carries its entry of the trail: nothing is done without one, and what is refused
 * leaves none. Several transactions of a command leave one.
 */
export function audited(
  records: Records,
  act: Act,
  subjectOf: (changes: readonly Change[]) => AuditSubject,
): Records {
  const id = uuidv7({ msecs: act.now.getTime() });
  return {
    get: (key) => records.get(key),
    getAll: (keys) => records.getAll(keys),
    list: (range) => records.list(range),
    update: (change) => records.update(change),
    due: (now, limit) => records.due(now, limit),
    inFlight: (organizationId, limit) => records.inFlight(organizationId, limit),
    transact: (changes) => transactWith(records, entryOf(act, subjectOf(changes), id), changes),
  };
}

async function transactWith(records: Records, entry: Change, changes: readonly Change[]): Promise<boolean> {
  if (changes.length < maxChanges) return records.transact([...changes, entry]);
  // There is no room. An entry of a change that then fails is better than a change without an entry.
  await records.transact([entry]);
  return records.transact(changes);
}

/** The API key that a transaction issues or revokes, and its organization: only the write knows a new key's id. */
export function apiKeySubject(changes: readonly Change[], details: Fields = {}): AuditSubject {
  const [change] = changes.filter(({ key }) => key.sk.startsWith('key#'));
  if (!change) throw new Error('the transaction is of no API key');
  const { pk: organizationId, sk } = change.key;
  return { organizationId, details: { keyId: sk.slice('key#'.length), ...details } };
}

/** Lists all that operators did to an organization, oldest first. */
export async function auditTrail(records: Records, organizationId: string): Promise<AuditEntry[]> {
  const { table, pk } = auditRecord(organizationId, '');
  const stored = await records.list({ table, pk });
  return stored.map(({ key, fields }) => ({ ...parseRecord('audit entry', entryForm, fields), id: key.sk }));
}
