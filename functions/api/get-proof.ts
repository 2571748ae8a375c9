import { functionLog } from '../adapters/aws/cloudwatch-log.ts';
import { composeRecords } from '../adapters/compose-records.ts';
import { findAttestation } from '../domain/attestation/attestation-records.ts';
import { AttestationMissingError } from '../domain/errors.ts';
import { proofBody } from './bodies/proof-body.ts';
import { attestationIdOf } from './bodies/requests.ts';
import { route } from './http/route.ts';

const records = composeRecords(process.env);
const log = functionLog();

/** Handler of GET /v1/attestations/:id/proof. */
export const handler = route({
  records,
  log,
  handle: async (event, { organizationId }) => {
    const attestation = await findAttestation(records, { organizationId, id: attestationIdOf(event) });
    if (!attestation) throw new AttestationMissingError();
    return { status: 200, body: proofBody(attestation) };
  },
});
