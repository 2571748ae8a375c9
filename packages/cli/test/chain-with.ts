import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type Hex, sha256, toHex } from 'viem';
import { onTestFinished } from 'vitest';
import { FakeChain, FakeNode } from '../../verifier/test/fake-node.ts';
import { referenceTo } from '../../verifier/test/quote/quotable.ts';

/** A chain on which the text was attested with this quote root, behind an RPC endpoint. */
export async function chainWith(
  text: string,
  quoteRoot?: Hex,
): Promise<{ chain: FakeChain; rpcUrl: string }> {
  const chain = new FakeChain();
  const { authorityAddress: authority } = referenceTo(text);
  chain.attest({ digest: sha256(toHex(text)), authority, ...(quoteRoot && { quoteRoot }) });
  const node = new FakeNode(chain);
  const server = createServer(async (request, response) => {
    const result = await node
      .request((await json(request)) as Parameters<FakeNode['request']>[0])
      .then((answer) => ({ result: answer }))
      .catch(({ code, message, data }) => ({ error: { code, message, data } }));
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...result }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { chain, rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
