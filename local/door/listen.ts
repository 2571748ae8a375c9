import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { portTaken } from '../process/free-port.ts';

const usualPort = 4800;
const portsTried = 100;

/** Both addresses of `localhost`: with one of them free, another process could take what is meant for this one. */
const addresses = ['127.0.0.1', '::1'];

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? '';

function serverOf(answer: Answer): Server {
  const server = createServer(answer);
  // What is no HTTP: without a listener the answer has no body.
  server.on('clientError', (_, socket) => {
    const body = '{"error":"bad request"}';
    const head = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`;
    if (socket.writable) socket.end(`HTTP/1.1 400 Bad Request\r\n${head}\r\n\r\n${body}`);
    else socket.destroy();
  });
  return server;
}

/** Takes one port on every address of loopback. @returns undefined when it is taken on one of them. */
async function take(port: number, answer: Answer): Promise<Server[] | undefined> {
  const servers: Server[] = [];
  for (const host of addresses) {
    const server = serverOf(answer);
    try {
      await once(server.listen({ port, host }), 'listening');
      servers.push(server);
    } catch (error) {
      // A machine without IPv6 has one address of loopback.
      if (host === '::1' && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error))) continue;
      for (const other of servers) other.close();
      if (['EADDRINUSE', 'EACCES'].includes(codeOf(error))) return undefined;
      throw error;
    }
  }
  return servers;
}

/** Closes servers, and the connections that are open to them. */
export async function closeServers(servers: readonly Server[]): Promise<void> {
  const closed = servers.map((server) => once(server.close(), 'close'));
  for (const server of servers) server.closeAllConnections();
  await Promise.all(closed);
}

/** Serves on loopback alone, on this port or else on the first free one from 4800 on. */
export async function listenOnLoopback(
  wanted: number | undefined,
  answer: Answer,
): Promise<{ readonly servers: readonly Server[]; readonly url: string }> {
  const first = wanted ?? usualPort;
  const last = wanted ?? usualPort + portsTried - 1;
  for (let port = first; port <= last; port += 1) {
    const servers = await take(port, answer);
    if (servers) return { servers, url: `http://localhost:${port}` };
  }
  throw portTaken(first, '--port');
}
