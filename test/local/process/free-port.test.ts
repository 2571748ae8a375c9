import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { freePort, PortTakenError } from '../../../local/process/free-port.ts';

describe('freePort', () => {
  it('gives a port that can be listened on', async () => {
    const port = await freePort(undefined, '--port');
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
  });

  it('says which option to change when the wanted port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(freePort(port, '--rpc-port')).rejects.toThrow(PortTakenError);
    await expect(freePort(port, '--rpc-port')).rejects.toThrow(
      `port ${port} is taken by another process: stop that one, or give another port with --rpc-port`,
    );
    server.close();
  });
});
