import type { AuditAction } from '../../../functions/domain/organization/audit-trail.ts';
import type { Fields, Records } from '../../../functions/domain/records.ts';
import type { Log } from '../../../functions/domain/services.ts';
import { auditedRecords } from '../../deployment/audited-records.ts';
import type { Deployment } from '../../deployment/deployment.ts';

/** A log that ends the command at a malformed record: the operator is to see it. */
const throwing: Log = {
  info: () => {},
  warn: () => {},
  error: (_, error) => {
    throw error;
  },
};

/** What the rules of webhooks need of a deployment. */
export function webhookServices({ now }: Deployment, records: Records) {
  return { records, now, log: throwing };
}

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
