import { setTimeout as pause } from 'node:timers/promises';
import type { Progress } from 'imprimatur-terminal/progress';
import {
  type Address,
  BaseError,
  createPublicClient,
  createWalletClient,
  fallback,
  formatEther,
  type Hex,
  http,
  type PublicClient,
} from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { anyChain } from '../../local/stack/any-chain.ts';
import { withoutUrls } from '../error-line.ts';
import { CommandFailedError } from '../terminal/errors.ts';
import { announce } from './announce.ts';

/** A transaction that setup sends with a key of the operator. */
export interface Payment {
  readonly from: LocalAccount;
  readonly to: Address;
  readonly data?: Hex;
  /** In wei. */
  readonly value?: bigint;
}

/** A chain that setup reads and sends transactions to. The URLs are secrets. */
export interface SetupChain {
  readonly chainId: number;
  readonly urls: readonly string[];
  /** Names of the providers that do not respond. */
  readonly silent: readonly string[];
  readonly client: PublicClient;
}

const timeoutMilliseconds = 10_000;

/** What to do about URLs that are not stored yet. */
export const adviceOnAnswer = 'check the RPC URLs of your answer (rpcUrlFiles)';

/**
 * Connects to the providers of a chain that respond.
 * @param advice what to do about the URLs
 * @throws CommandFailedError if none responds, or one serves another chain; the message has no URL
 */
export async function connectSetupChain(
  chainId: number,
  urls: readonly string[],
  advice: string,
): Promise<SetupChain> {
  const providers = await Promise.all(
    urls.map(async (url, position) => {
      const transport = http(url, { timeout: timeoutMilliseconds, retryCount: 1 });
      const served = await createPublicClient({ transport })
        .getChainId()
        .catch(() => undefined);
      return { url, served, name: `RPC provider ${position + 1} of ${urls.length}` };
    }),
  );
  const other = providers.find(({ served }) => served !== undefined && served !== chainId);
  if (other)
    throw new CommandFailedError(`${other.name} serves chain ${other.served}, not ${chainId}; ${advice}`);
  const responding = providers.filter(({ served }) => served !== undefined).map(({ url }) => url);
  if (responding.length === 0)
    throw new CommandFailedError(`no RPC provider of chain ${chainId} responds; ${advice}`);
  const silent = providers.filter(({ served }) => served === undefined).map(({ name }) => name);
  const client = createPublicClient(connectionOf(chainId, responding));
  return { chainId, urls: responding, silent, client };
}

function connectionOf(chainId: number, urls: readonly string[]) {
  const transports = urls.map((url) => http(url, { timeout: timeoutMilliseconds }));
  return { chain: anyChain(chainId), transport: fallback(transports), pollingInterval: 1_000 };
}

/**
 * Sends a transaction and waits until it is mined. While the account has a pending transaction, which may be an earlier
 * run's, it sends nothing and only waits: setup then looks again.
 * @throws CommandFailedError if it fails, or the account has too few coins
 */
export async function sendOnce(chain: SetupChain, payment: Payment, progress: Progress): Promise<void> {
  try {
    await sendUnlessPending(chain, payment, progress);
  } catch (cause) {
    if (!(cause instanceof BaseError)) throw cause;
    // The whole message has the calldata, which for a contract is long.
    const reason = withoutUrls(`${cause.shortMessage} ${cause.details}`);
    const transaction = `the transaction of ${payment.from.address} to ${payment.to} on chain ${chain.chainId}`;
    throw new CommandFailedError(`${transaction} failed: ${reason}`, { cause });
  }
}

async function sendUnlessPending(chain: SetupChain, payment: Payment, progress: Progress): Promise<void> {
  const { from, ...request } = payment;
  const { chainId, urls, client } = chain;
  const { address } = from;
  const count = (blockTag: 'latest' | 'pending') => client.getTransactionCount({ address, blockTag });
  const isPending = async () => (await count('pending')) > (await count('latest'));
  const announceWait = <Result>(what: string, waiting: Promise<Result>) =>
    announce(
      progress,
      `Waiting until ${what} of ${address} on chain ${chainId} is mined. If its fee is too low, replace it in a wallet.`,
      waiting,
    );
  if (await isPending()) {
    const wait = async () => {
      while (await isPending()) await pause(client.pollingInterval);
    };
    return announceWait('a pending transaction', wait());
  }
  await requireCoins(chain, payment);
  const wallet = createWalletClient({ ...connectionOf(chainId, urls), account: from });
  const hash = await wallet.sendTransaction(request);
  const mined = client.waitForTransactionReceipt({ hash, timeout: 0 });
  const { status } = await announceWait(`the transaction ${hash}`, mined);
  if (status === 'reverted')
    throw new CommandFailedError(`the transaction ${hash} to ${request.to} reverted`);
}

/** The estimate of gas omits the value, because nodes refuse to estimate what the account cannot pay. */
async function requireCoins(
  { chainId, client }: SetupChain,
  { from: { address }, value = 0n, ...call }: Payment,
): Promise<void> {
  const [gas, price, balance] = await Promise.all([
    client.estimateGas({ account: address, ...call }),
    client.getGasPrice(),
    client.getBalance({ address }),
  ]);
  // viem lets the base fee rise by 20 %.
  const needed = value + (gas * price * 6n) / 5n;
  if (balance >= needed) return;
  throw new CommandFailedError(
    `${address} has ${formatEther(balance)} coins on chain ${chainId}, but its transaction to ${call.to} needs ` +
      `${formatEther(needed)}; send coins to it, and run setup again`,
  );
}
