import { createApiKey } from '../../../functions/domain/organization/api-keys.ts';
import { createOrganization } from '../../../functions/domain/organization/organization.ts';
import { makeRealWorld } from '../../fakes/real/real-world.ts';
import { alice } from '../../fakes/world/world.ts';

/** What the handlers under test are composed of: a real world. */
export const world = await makeRealWorld({ signsInMemory: true });

const now = world.clock.now();
const { organizationId: id, authorityAddress, defaultChainId } = alice;
await createOrganization(world.records, {
  ...{ id, name: 'A paper', authorityAddress, defaultChainId, createdAt: now.toISOString() },
});

/** Of the first organisation. */
export const { key } = await createApiKey(world.records, { organizationId: id, mode: 'live', now });

/** Stands in for adapters/compose-services.ts. */
export const composeServices = () => world.services;
export const requestLimits = {};
