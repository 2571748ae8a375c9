import type { AuditAction } from '../../../functions/domain/organization/audit-trail.ts';
import type { Fields, Records } from '../../../functions/domain/records.ts';
import { auditedRecords } from '../../deployment/audited-records.ts';
import type { Deployment } from '../../deployment/deployment.ts';

/** The deployment's records, which note an act on the webhooks of an organisation; never a secret. */
export function auditedWebhooks(
  deployment: Deployment,
  action: AuditAction,
  organizationId: string,
  details: Fields,
): Records {
  return auditedRecords(deployment, action, () => ({ organizationId, details }));
}

export const secretNotice = 'Give the receiver the secret now: it cannot be shown again.';
