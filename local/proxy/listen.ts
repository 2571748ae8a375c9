import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { commonHeaders } from '../../functions/api/http/reply.ts';
import { portTaken } from '../process/free-port.ts';

export const firstApiPort = 4800;
const maxPorts = 100;

/** Both addresses of `localhost`, so that no other process can use one of them. */
const addresses = ['127.0.0.1', '::1'];

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? '';

/** Headers of responses that no function makes, as API Gateway sends them. */
export const gatewayHeaders = () => ({ ...commonHeaders, 'x-request-id': randomUUID() });

function createApiServer(handler: Handler): Server {
  const server = createServer(handler);
  // Without this listener, the response to malformed HTTP, or to a URL that is too long, has no body.
  server.on('clientError', (_, socket) => {
    const body = '{"error":"bad request"}';
    const headers = { ...gatewayHeaders(), 'Content-Length': body.length, Connection: 'close' };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    if (socket.writable) socket.end(`HTTP/1.1 400 Bad Request\r\n${head.join('')}\r\n${body}`);
    else socket.destroy();
  });
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Listens on a port of every loopback address. @returns undefined if it is in use or reserved on one of them */
async function tryListen(wanted: number, handler: Handler): Promise<Server[] | undefined> {
  const servers: Server[] = [];
  for (const host of addresses) {
    const server = createApiServer(handler);
    try {
      const port = servers[0] ? portOf(servers[0]) : wanted;
      await once(server.listen({ port, host }), 'listening');
      servers.push(server);
    } catch (error) {
      // A machine without IPv6 has only one loopback address.
      if (host === '::1' && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error))) continue;
      for (const other of servers) other.close();
      if (['EADDRINUSE', 'EACCES'].includes(codeOf(error))) return undefined;
      throw error;
    }
  }
  return servers;
}

export async function closeServers(servers: readonly Server[]): Promise<void> {
  const closed = servers.map((server) => once(server.close(), 'close'));
  for (const server of servers) server.closeAllConnections();
  await Promise.all(closed);
}

/** Serves only on loopback, on the wanted port or the first free one from `firstPort`. Port 0 is any free port. */
export async function listenOnLoopback(
  wanted: number | undefined,
  handler: Handler,
  firstPort = firstApiPort,
): Promise<{ readonly servers: readonly Server[]; readonly url: string }> {
  const first = wanted ?? firstPort;
  // For port 0, the system chooses a port that is free on the first address. If it is in use on the second, try again.
  const attempts = wanted === undefined || wanted === 0 ? maxPorts : 1;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const servers = await tryListen(wanted ?? first + attempt, handler);
    if (servers?.[0]) return { servers, url: `http://localhost:${portOf(servers[0])}` };
  }
  throw portTaken(first, '--port');
}
