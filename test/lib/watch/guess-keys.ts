import { route } from '../../../functions/api/http/route.ts';
import type { Services } from '../../../functions/domain/services.ts';
import { call } from '../../fakes/world/api-client.ts';

/** Sends requests without a key to a route. */
export async function guessKeys({ records, log }: Services, requests: number): Promise<void> {
  const handler = route({ records, log, handle: async () => ({ status: 200, body: {} }) });
  for (let request = 0; request < requests; request++) await call(handler, {}, '');
}
