import { describe, expect, it, onTestFinished } from 'vitest';
import { checkEndpoint } from '../../../local/emulator/aws-endpoint.ts';
import { connectChain } from '../../../local/stack/connect-chain.ts';
import { answeringServer } from '../../fakes/rpc/answering-server.ts';
import { RpcServer } from '../../fakes/rpc/rpc-server.ts';

/** Starts a node that answers only two methods. */
async function node(version: string): Promise<string> {
  const answers: Record<string, string> = { web3_clientVersion: version, eth_chainId: '0xaa36a7' };
  const server = new RpcServer(({ method }) => ({ result: answers[method] }));
  onTestFinished(() => server.stop());
  return server.start();
}

const unusedUrl = 'http://127.0.0.1:2/secret-key';

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

  it('reports in one line, without its URL, that a chain does not respond', async () => {
    const message = await connectChain(unusedUrl, undefined).catch(({ message }) => message);
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
    const url = await answeringServer(() => ({ status: 404, body: '' }));
    await expect(checkEndpoint(url)).resolves.toBeUndefined();
  });

  it('reports in one line that nothing responds', async () => {
    const reached = checkEndpoint(unusedUrl);
    await expect(reached).rejects.toThrow(/^No emulator responds at AWS_ENDPOINT_URL, /);
  });

  it('rejects an invalid URL', async () => {
    await expect(checkEndpoint('localhost')).rejects.toThrow('AWS_ENDPOINT_URL must be an http or https URL');
  });
});
