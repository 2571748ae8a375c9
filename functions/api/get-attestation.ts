import { functionLog } from '../adapters/aws/cloudwatch-log.ts';
import { composeRecords } from '../adapters/compose-records.ts';
import { isTerminal } from '../domain/attestation/attestation.ts';
import { findAttestation } from '../domain/attestation/attestation-records.ts';
import { AttestationMissingError } from '../domain/errors.ts';
import { attestationBody } from './bodies/attestation-body.ts';
import { attestationIdOf } from './bodies/requests.ts';
import { entityTag, matchesTag } from './http/reply.ts';
import { headerOf, route } from './http/route.ts';

/** Seconds until the client polls again: most changes wait for new blocks. */
const pollSeconds = '5';

const records = composeRecords(process.env);
const log = functionLog();

export const handler = route({
  records,
  log,
  access: 'read',
  countsConcurrently: true,
  handle: async (event, { organizationId }) => {
    const attestation = await findAttestation(records, { organizationId, id: attestationIdOf(event) });
    if (!attestation) throw new AttestationMissingError();
    const body = attestationBody(attestation);
    const headers = {
      ETag: entityTag(JSON.stringify(body)),
      ...(isTerminal(attestation) ? {} : { 'Retry-After': pollSeconds }),
    };
    return matchesTag(headerOf(event, 'if-none-match'), headers.ETag)
      ? { status: 304, body: undefined, headers }
      : { status: 200, body, headers };
  },
});
