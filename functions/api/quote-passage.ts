import { composeReadServices, requestLimits } from '../adapters/compose-services.ts';
import { quotePassage } from '../domain/requests/quote-passage.ts';
import { attestationIdOf, quoteBodySchema } from './bodies/requests.ts';
import { parseBody, route } from './http/route.ts';

const services = composeReadServices(process.env, requestLimits);

export const handler = route({
  ...services,
  access: 'read',
  handle: async (event, { organizationId }) => {
    const { passage } = parseBody(quoteBodySchema, event);
    const body = await quotePassage(services, { organizationId, id: attestationIdOf(event) }, passage);
    return { status: 200, body };
  },
});
