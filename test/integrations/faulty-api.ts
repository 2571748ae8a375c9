import { once } from 'node:events';
import { createServer, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApiKey } from '../../functions/domain/organization/api-keys.ts';
import { createOrganization } from '../../functions/domain/organization/organization.ts';
import { serveHandlers } from '../../packages/client/test/serve-handlers.ts';
import { alice } from '../fakes/world/world.ts';
import { service } from './running-service.ts';

/** A fault of a request: it is refused, delayed, or accepted with a lost or wrong answer. */
export type Fault =
  | 'refuse with 429'
  | 'refuse with 503'
  | 'answer after 3 s'
  | 'accept and hang up'
  | 'accept and answer 500';

export interface FaultyApi {
  readonly url: string;
  readonly key: string;
  /** Method and path of each request. */
  readonly received: string[];
  readonly faults: Fault[];
  stop(): void;
}

/** Serves the service's own handlers over HTTP, with faults. @param before runs before each answer */
export async function startApi(before: () => Promise<unknown> = async () => {}): Promise<FaultyApi> {
  const { records, clock } = service.world;
  const { organizationId, authorityAddress, defaultChainId } = alice;
  const createdAt = clock.now().toISOString();
  await createOrganization(records, {
    ...{ id: organizationId, name: 'alice', authorityAddress, defaultChainId, createdAt },
  });
  const { key } = await createApiKey(records, { organizationId, mode: 'live', now: clock.now() });
  const [received, faults]: [string[], Fault[]] = [[], []];
  const server = createServer(async (request, response) => {
    received.push(`${request.method} ${request.url}`);
    await before();
    const fault = faults.shift();
    if (fault === 'answer after 3 s') await new Promise((resolve) => setTimeout(resolve, 3_000));
    if (!fault || fault === 'answer after 3 s') return serveHandlers(request, response);
    if (fault.startsWith('refuse')) {
      const status = Number(fault.slice(-3));
      response.writeHead(status, { 'Retry-After': '7' }).end('{"error":"rate limit exceeded"}');
      return;
    }
    await serveHandlers(request, new ServerResponse(request));
    if (fault === 'accept and hang up') request.socket.destroy();
    else response.writeHead(500).end('{"error":"internal error"}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, key, received, faults, stop: () => void server.close() };
}
