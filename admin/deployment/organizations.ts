import {
  type AuditAction,
  type AuditSubject,
  withAudit,
} from '../../functions/domain/organization/audit-trail.ts';
import {
  findOrganization,
  listOrganizations,
  type Organization,
} from '../../functions/domain/organization/organization.ts';
import type { Change, Records } from '../../functions/domain/records.ts';
import { CommandFailedError } from '../terminal/errors.ts';
import { isUuid } from './arguments.ts';
import type { Deployment } from './connect.ts';

/** Makes records that write an audit entry with each change. */
export function auditedRecords(
  { records, operator: by, now }: Deployment,
  action: AuditAction,
  subjectOf: (changes: readonly Change[]) => AuditSubject,
): Records {
  return withAudit(records, { action, by, now: now() }, subjectOf);
}

/** Finds the organization with that id, or with that name if it is unique. */
export async function namedOrganization(records: Records, text: string): Promise<Organization> {
  if (isUuid(text)) return findOrganization(records, text.toLowerCase());
  const named = (await listOrganizations(records)).filter(({ name }) => name === text);
  const [only] = named;
  if (!only)
    throw new CommandFailedError(`no organization has the name or ID ${text}; run \`org list\` to see them`);
  if (named.length === 1) return only;
  const ids = named.map(({ id }) => id).join(', ');
  throw new CommandFailedError(`${named.length} organizations are named ${text}; use an ID instead: ${ids}`);
}
