import { once } from 'node:events';
import { createServer, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApiKey } from '../../functions/domain/organization/api-keys.ts';
import { createOrganization } from '../../functions/domain/organization/organization.ts';
import { serveHandlers } from '../../packages/client/test/serve-handlers.ts';
import { alice } from '../fakes/world/world.ts';
import { service } from './running-service.ts';

/** What befalls a request: it is refused, or accepted and its answer lost or an error. */
export type Trouble =
  | 'refuse with 429'
  | 'refuse with 503'
  | 'answer after 3 s'
  | 'accept and hang up'
  | 'accept and answer 500';

export interface TroubledApi {
  readonly url: string;
  readonly key: string;
  /** Method and path of each request, as it arrived. */
  readonly received: string[];
  /** What befalls the next requests, one after the other. */
  readonly troubles: Trouble[];
  stop(): void;
}

/**
 * Serves the service's own handlers over HTTP, with troubles on the way.
 * @param before what is done before each request is answered
 */
export async function startApi(before: () => Promise<unknown> = async () => {}): Promise<TroubledApi> {
  const { records, clock } = service.world;
  const { organizationId, authorityAddress, defaultChainId } = alice;
  const createdAt = clock.now().toISOString();
  await createOrganization(records, {
    ...{ id: organizationId, name: 'alice', authorityAddress, defaultChainId, createdAt },
  });
  const { key } = await createApiKey(records, { organizationId, mode: 'live', now: clock.now() });
  const [received, troubles]: [string[], Trouble[]] = [[], []];
  const server = createServer(async (request, response) => {
    received.push(`${request.method} ${request.url}`);
    await before();
    const trouble = troubles.shift();
    if (trouble === 'answer after 3 s') await new Promise((resolve) => setTimeout(resolve, 3_000));
    if (!trouble || trouble === 'answer after 3 s') return serveHandlers(request, response);
    if (trouble.startsWith('refuse')) {
      const status = Number(trouble.slice(-3));
      response.writeHead(status, { 'Retry-After': '7' }).end('{"error":"rate limit exceeded"}');
      return;
    }
    await serveHandlers(request, new ServerResponse(request));
    if (trouble === 'accept and hang up') request.socket.destroy();
    else response.writeHead(500).end('{"error":"internal error"}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, key, received, troubles, stop: () => void server.close() };
}
