import { revokeApiKey } from '../../../../functions/domain/organization.ts';
import type { World } from '../../../fakes/world.ts';
import { create } from './creation.ts';
import type { LifeModel, Publisher } from './life-model.ts';
import { link } from './linking.ts';
import { get, list, listChains } from './reading.ts';

/** A key stops at once and at every route, and the others go on. */
export async function revokeKey(
  model: LifeModel,
  world: World,
  publisher: Publisher,
  number: number,
): Promise<void> {
  const issued = publisher.keys[number % publisher.keys.length];
  if (!issued) throw new Error('an organisation without a key');
  await revokeApiKey(world.records, issued.id, world.clock.now());
  issued.revoked = true;
  for (const key of publisher.keys.keys()) {
    const asking = { publisher, key };
    const id = String(publisher.rows[0]?.body.id);
    await list(asking);
    await listChains(model, world, asking);
    await get(asking, id);
    await link(asking, id, id);
    await create(model, world, asking, 'article 0');
  }
}
