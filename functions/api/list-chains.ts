import { composeServices, requestLimits } from '../adapters/compose-services.ts';
import { listChains } from '../domain/requests/list-chains.ts';
import { route } from './http/route.ts';

const services = composeServices(process.env, requestLimits);

export const handler = route({
  ...services,
  access: 'read',
  handle: async (_, { authorityAddress }) => ({
    status: 200,
    body: { chains: await listChains(services, authorityAddress) },
  }),
});
