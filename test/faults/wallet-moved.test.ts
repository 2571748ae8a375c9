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

/** Wallet methods that use a key; none may be called afterwards. */
const deeds = ['eth_sendTransaction', 'eth_signTypedData_v4'];

/** A wallet that changes silently before it answers a question, counted from 0. */
function walletMoving(moved: { chainId?: number; account?: string }, at: number) {
  const asked: string[] = [];
  const request = async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
    const { chainId, account } = { chainId: 31_337, account: author, ...(asked.length >= at ? moved : {}) };
    asked.push(method);
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`;
    if (method === 'eth_accounts') return [account];
    if (deeds.includes(method)) return `0x${'00'.repeat(32)}`;
    return requesterAt(registry.chain.rpcUrl)(method, params);
  };
  const wallet = { id: 'test', name: 'Test', icon: undefined, provider: { request } };
  return { asked, connection: { wallet, account: author, chainId: 31_337 } satisfies Connection };
}

const query = () => ({
  ...{ chainId: 31_337, registryAddress: registry.address, authorityAddress: author },
});
const acts = {
  sends: (connection: Connection) => sendCall(connection, delegationCall(registry.address, platform)),
  signs: (connection: Connection) => signDelegation(connection, query(), platform, 7),
};

test.each([
  ['sends', 'network', { chainId: 1 }],
  ['sends', 'account', { account: other }],
  ['signs', 'network', { chainId: 1 }],
  ['signs', 'account', { account: other }],
] as const)(
  'row 51: nobody %s with a wallet whose %s changes before any of the questions',
  async (act, _, moved) => {
    const never = walletMoving(moved, Number.POSITIVE_INFINITY);
    await acts[act](never.connection).catch(() => undefined);
    const deed = never.asked.findIndex((method) => deeds.includes(method));
    expect(deed).toBeGreaterThan(3);
    // The last two ask for the network, then for the account: a network that changes between the two is the wallet's
    // own race.
    const last = deed - ('chainId' in moved ? 2 : 1);
    for (let at = 0; at <= last; at++) {
      const { asked, connection } = walletMoving(moved, at);
      await expect(acts[act](connection)).rejects.toThrow(/^The wallet('s account)? (is|has switched)/);
      expect(asked.filter((method) => deeds.includes(method))).toEqual([]);
    }
  },
);
