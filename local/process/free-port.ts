import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { PlainError } from '../terminal/plain-error.ts';

export const portTaken = (port: number, option: string) =>
  new PlainError(
    `Port ${port} is in use or reserved. Stop the process that uses it, or pass another port with ${option}.`,
  );

/** Finds a free port on loopback. @param wanted the port to use, or `undefined` for any @throws PlainError if it is in use */
export async function freePort(wanted: number | undefined, option: string): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(wanted ?? 0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw portTaken(wanted ?? 0, option);
    throw error;
  }
}

/**
 * Starts a server on the wanted port, or on a free one. If another process uses the free port first, tries another one.
 * @throws PlainError if the wanted port is in use, and errors of `start`
 */
export async function startOnFreePort<Server>(
  wanted: number | undefined,
  option: string,
  start: (port: number) => Promise<Server>,
): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(wanted, option);
    try {
      return await start(port);
    } catch (error) {
      const isFree = await freePort(port, option).catch(() => undefined);
      if (isFree || wanted !== undefined || attempt === 3) throw error;
    }
  }
}
