import {
  type AuditAction,
  type AuditSubject,
  audited,
} from '../../functions/domain/organization/audit-trail.ts';
import type { Change, Records } from '../../functions/domain/records.ts';
import type { Deployment } from './connect.ts';

/** Makes the deployment's records for one command, which write an entry of the audit trail with each change. */
export function auditedRecords(
  { records, operator: by, now }: Deployment,
  action: AuditAction,
  subjectOf: (changes: readonly Change[]) => AuditSubject,
): Records {
  return audited(records, { action, by, now: now() }, subjectOf);
}
