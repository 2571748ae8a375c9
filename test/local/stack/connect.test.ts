import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checkEndpoint } from '../../../local/emulator/aws-endpoint.ts';
import { freePort } from '../../../local/process/free-port.ts';
import { connectChain } from '../../../local/stack/connect-chain.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A node that answers two questions only. */
async function node(version: string): Promise<string> {
  const answers: Record<string, string> = { web3_clientVersion: version, eth_chainId: '0xaa36a7' };
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return response.writeHead(404).end();
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method } = JSON.parse(body);
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] }));
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/provider-secret`;
}

const nobody = async () => `http://127.0.0.1:${await freePort(undefined, '')}/v2/provider-secret`;

const key = `0x${'1'.repeat(64)}`;

describe('connectChain', () => {
  it("uses anvil's accounts on anvil", async () => {
    const { chainId, development, walletClient } = await connectChain(await node('anvil/v1.7.1'), undefined);
    expect({ chainId, development }).toEqual({ chainId: 11155111, development: true });
    expect(walletClient.account.address).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
  });

  it('uses the given key on other chains', async () => {
    const { development, walletClient } = await connectChain(await node('Geth/v1'), key);
    expect(development).toBe(false);
    expect(walletClient.account.address).toBe('0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A');
  });

  it('requires a funded key on other chains', async () => {
    const connected = connectChain(await node('Geth/v1'), undefined);
    await expect(connected).rejects.toThrow('Set IMPRIMATUR_DEPLOYER_PRIVATE_KEY to a funded key');
  });

  it('does not print a malformed key', async () => {
    const message = await connectChain(await node('Geth/v1'), '0xsecret').catch(({ message }) => message);
    expect(message).toBe('IMPRIMATUR_DEPLOYER_PRIVATE_KEY must be 0x and 64 hexadecimal digits.');
  });

  it('reports a chain that does not respond in one line without its URL', async () => {
    const message = await connectChain(await nobody(), undefined).catch(({ message }) => message);
    expect(message).toBe(
      'The chain at RPC_URL does not respond. Check the URL, and that the chain is running.',
    );
  });

  it.each(['', 'localhost:8545', 'ws://localhost:8545'])('rejects %j as a URL', async (url) => {
    await expect(connectChain(url, undefined)).rejects.toThrow('RPC_URL must be an http or https URL');
  });
});

describe('checkEndpoint', () => {
  it('accepts any endpoint that responds', async () => {
    await expect(checkEndpoint(await node(''))).resolves.toBeUndefined();
  });

  it('reports in one line that nothing responds', async () => {
    const reached = checkEndpoint(await nobody());
    await expect(reached).rejects.toThrow(/^No emulator responds at AWS_ENDPOINT_URL, /);
  });

  it('rejects an invalid URL', async () => {
    await expect(checkEndpoint('localhost')).rejects.toThrow('AWS_ENDPOINT_URL must be an http or https URL');
  });
});
