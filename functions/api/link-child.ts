import { composeServices, requestLimits } from '../adapters/compose-services.ts';
import { linkChild } from '../domain/requests/link-child.ts';
import { attestationBody } from './bodies/attestation-body.ts';
import { attestationIdOf, linkBodySchema } from './bodies/requests.ts';
import { parseBody, route } from './http/route.ts';

const services = composeServices(process.env, requestLimits);

export const handler = route({
  ...services,
  access: 'attest',
  handle: async (event, { organizationId, limits, keyId, mode }) => {
    const { childAttestationId } = parseBody(linkBodySchema, event);
    const key = { organizationId, id: attestationIdOf(event), keyId, mode, ...(limits && { limits }) };
    const { attestation, queued } = await linkChild(services, key, childAttestationId);
    return { status: queued ? 202 : 200, body: attestationBody(attestation) };
  },
});
