import { composeServices, requestLimits } from '../adapters/compose-services.ts';
import { createAttestation } from '../domain/requests/create-attestation.ts';
import { creationBody } from './bodies/attestation-body.ts';
import { createBodySchema, sentMetadata } from './bodies/requests.ts';
import { parseBody, pathOf, route, textOf } from './http/route.ts';

const services = composeServices(process.env, requestLimits);

export const handler = route({
  ...services,
  access: 'attest',
  countsConcurrently: true,
  handle: async (event, caller, admitted) => {
    const { metadata, ...request } = parseBody(createBodySchema, event);
    const sent = metadata && sentMetadata(textOf(event));
    const creation = await createAttestation(services, caller, { ...request, metadata: sent }, admitted);
    const body = creationBody(creation.attestation);
    if (!creation.accepted) return { status: 200, body };
    return { status: 202, body, headers: { Location: `${pathOf(event)}/${body.id}` } };
  },
});
