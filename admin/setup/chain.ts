import {
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  fallback,
  type Hex,
  http,
  type PublicClient,
} from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { CommandFailedError } from '../terminal/errors.ts';

/** A transaction that setup sends with a key of the operator. */
export interface Payment {
  readonly from: LocalAccount;
  readonly to: Address;
  readonly data?: Hex;
  /** In wei. */
  readonly value?: bigint;
}

/** A chain as setup reads it, and sends to it. The URLs are secrets. */
export interface SetupChain {
  readonly chainId: number;
  readonly urls: readonly string[];
  readonly client: PublicClient;
}

const timeoutMilliseconds = 10_000;

/** Connects to a chain. @throws CommandFailedError, without a URL, if a provider fails or serves another chain */
export async function connectSetupChain(chainId: number, urls: readonly string[]): Promise<SetupChain> {
  const transports = urls.map((url) => http(url, { timeout: timeoutMilliseconds, retryCount: 1 }));
  const served = await Promise.all(
    transports.map((transport) =>
      createPublicClient({ transport })
        .getChainId()
        .catch(() => undefined),
    ),
  );
  for (const [position, other] of served.entries()) {
    const provider = `RPC provider ${position + 1} of ${urls.length}`;
    if (other === undefined) throw new CommandFailedError(`${provider} of chain ${chainId} does not respond`);
    if (other !== chainId) throw new CommandFailedError(`${provider} serves chain ${other}, not ${chainId}`);
  }
  return { chainId, urls, client: createPublicClient(connectionOf(chainId, urls)) };
}

function connectionOf(chainId: number, urls: readonly string[]) {
  const transports = urls.map((url) => http(url, { timeout: timeoutMilliseconds }));
  const chain = defineChain({
    ...{ id: chainId, name: `chain ${chainId}`, rpcUrls: { default: { http: [] } } },
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  });
  return { chain, transport: fallback(transports), pollingInterval: 1_000 };
}

/** Clients of viem with an account that pays. */
export const payingClients = (chain: SetupChain, account: Payment['from']) => ({
  publicClient: chain.client,
  walletClient: createWalletClient({ ...connectionOf(chain.chainId, chain.urls), account }),
});

/**
 * Sends a transaction and waits until it is mined. While the account has a pending transaction, which may be an earlier
 * run's, it sends nothing and only waits: setup then looks again. @throws CommandFailedError if it reverts
 */
export async function sendOnce(chain: SetupChain, { from, ...request }: Payment): Promise<void> {
  const { publicClient, walletClient } = payingClients(chain, from);
  const count = (blockTag: 'latest' | 'pending') =>
    publicClient.getTransactionCount({ address: from.address, blockTag });
  if ((await count('pending')) > (await count('latest'))) {
    while ((await count('pending')) > (await count('latest')))
      await new Promise((resolve) => setTimeout(resolve, publicClient.pollingInterval));
    return;
  }
  const hash = await walletClient.sendTransaction(request);
  const { status } = await publicClient.waitForTransactionReceipt({ hash });
  if (status === 'reverted')
    throw new CommandFailedError(`the transaction ${hash} to ${request.to} reverted`);
}
