import { composeReadServices, requestLimits } from '../adapters/compose-services.ts';
import { findAttestation } from '../domain/attestation/attestation-records.ts';
import { readChainEvidence } from '../domain/attestation/chain-evidence.ts';
import { AttestationMissingError } from '../domain/errors.ts';
import { proofBody, withChainEvidence } from './bodies/proof-body.ts';
import { attestationIdOf } from './bodies/requests.ts';
import { route } from './http/route.ts';

const services = composeReadServices(process.env, requestLimits);

export const handler = route({
  ...services,
  access: 'read',
  handle: async (event, { organizationId }) => {
    const attestation = await findAttestation(services.records, {
      organizationId,
      id: attestationIdOf(event),
    });
    if (!attestation) throw new AttestationMissingError();
    const body = proofBody(attestation);
    return { status: 200, body: withChainEvidence(body, await readChainEvidence(services, attestation)) };
  },
});
