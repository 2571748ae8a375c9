import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  author,
  other,
  platform,
  type RegistryFixture,
  startRegistry,
} from '../../contracts/test/chain/registry.ts';
import { sendCall } from '../../packages/pages/src/authority/action/transact.ts';
import { signDelegation } from '../../packages/pages/src/authority/delegation/sign-delegation.ts';
import type { Connection } from '../../packages/pages/src/authority/wallet/use-wallet.ts';
import { delegationCall } from '../../packages/verifier/src/delegation/registry-call.ts';
import { requesterAt } from '../fakes/rpc/rpc-call.ts';

let registry: RegistryFixture;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

/** Wallet methods that use a key. */
const keyMethods = ['eth_sendTransaction', 'eth_signTypedData_v4'];

/** Makes a wallet that silently changes before it answers a request. @param requestNumber counted from 0 */
function walletChangingAt(change: { chainId?: number; account?: string }, requestNumber: number) {
  const requests: string[] = [];
  const request = async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
    const { chainId, account } = {
      chainId: 31_337,
      account: author,
      ...(requests.length >= requestNumber ? change : {}),
    };
    requests.push(method);
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`;
    if (method === 'eth_accounts') return [account];
    if (keyMethods.includes(method)) return `0x${'00'.repeat(32)}`;
    return requesterAt(registry.chain.rpcUrl)(method, params);
  };
  const wallet = { id: 'test', name: 'Test', icon: undefined, provider: { request } };
  return { requests, connection: { wallet, account: author, chainId: 31_337 } satisfies Connection };
}

const query = () => ({
  ...{ chainId: 31_337, registryAddress: registry.address, authorityAddress: author },
});
const actions = {
  sends: (connection: Connection) => sendCall(connection, delegationCall(registry.address, platform)),
  signs: (connection: Connection) => signDelegation(connection, query(), platform, 7),
};

test.each([
  ['sends', 'network', { chainId: 1 }],
  ['sends', 'account', { account: other }],
  ['signs', 'network', { chainId: 1 }],
  ['signs', 'account', { account: other }],
] as const)(
  'row 51: the page never %s with a wallet whose %s changed before one of its requests',
  async (action, _, change) => {
    const never = walletChangingAt(change, Number.POSITIVE_INFINITY);
    await actions[action](never.connection).catch(() => undefined);
    const firstUse = never.requests.findIndex((method) => keyMethods.includes(method));
    expect(firstUse).toBeGreaterThan(3);
    // The last two requests read network and account. Only the wallet can prevent a change of network between them.
    const last = firstUse - ('chainId' in change ? 2 : 1);
    for (let requestNumber = 0; requestNumber <= last; requestNumber++) {
      const { requests, connection } = walletChangingAt(change, requestNumber);
      await expect(actions[action](connection)).rejects.toThrow(/^The wallet('s account)? (is|has switched)/);
      expect(requests.filter((method) => keyMethods.includes(method))).toEqual([]);
    }
  },
);
