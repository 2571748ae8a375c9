import { type Hex, pad, zeroHash } from 'viem';
import { expect, test } from 'vitest';
import { type ChainView, connectChain } from '../../../admin/deployment/connect-chain.ts';
import { chainSettingsSchema } from '../../../functions/domain/settings.ts';
import { authority, registryAddress, signerAddress } from '../commands/fake-deployment.ts';
import { answeringServer, silentUrl } from './answering-server.ts';

const settings = chainSettingsSchema.parse({ chainId: 31337, name: 'Local', registryAddress });

interface Call {
  readonly id: number;
  readonly method: string;
}

/** A provider that answers each method with a fixed result. */
async function provider(results: Readonly<Record<string, Hex>>): Promise<string> {
  const answers: Readonly<Record<string, Hex>> = { eth_chainId: '0x7a69', ...results };
  const answer = ({ id, method }: Call) => ({ jsonrpc: '2.0', id, result: answers[method] });
  return answeringServer((body) => {
    const calls: Call | Call[] = JSON.parse(body);
    return { body: JSON.stringify(Array.isArray(calls) ? calls.map(answer) : answer(calls)) };
  });
}

function view(...urls: string[]): ChainView {
  return connectChain(settings, { urls, advice: 'do this' });
}

/** What `delegations` returns: an address and a time, one word each. */
const delegation = (delegate: Hex): Hex => `0x${pad(delegate).slice(2)}${zeroHash.slice(2)}`;

test('reads whom an authority delegates to', async () => {
  const chain = view(await provider({ eth_call: delegation(signerAddress) }));
  expect(await chain.delegateOf(registryAddress, authority)).toBe(signerAddress);
});

test('reads the zero address as nobody', async () => {
  const chain = view(await provider({ eth_call: delegation('0x') }));
  expect(await chain.delegateOf(registryAddress, authority)).toBeNull();
});

test('reads a balance', async () => {
  const chain = view(await provider({ eth_getBalance: '0x10' }));
  expect(await chain.balanceWei(signerAddress)).toBe(16n);
});

test('says where it found no registry', async () => {
  const chain = view(await provider({ eth_call: '0x' }));
  await expect(chain.delegateOf(registryAddress, authority)).rejects.toThrow(
    `no registry answers at ${registryAddress} on chain 31337; check registryAddress in the settings`,
  );
});

const unreachable = 'no RPC provider of chain 31337 answers as that chain; do this';

test('says what to do when nobody answers', async () => {
  const chain = view(await silentUrl());
  await expect(chain.delegateOf(registryAddress, authority)).rejects.toThrow(unreachable);
  await expect(chain.balanceWei(authority)).rejects.toThrow(unreachable);
});

test('takes no answer of a provider of another chain', async () => {
  const chain = view(await provider({ eth_chainId: '0x1', eth_getBalance: '0x10' }));
  await expect(chain.balanceWei(signerAddress)).rejects.toThrow(unreachable);
});

test('asks the next provider when the first does not answer', async () => {
  const chain = view(await silentUrl(), await provider({ eth_getBalance: '0x10' }));
  expect(await chain.balanceWei(signerAddress)).toBe(16n);
});
