import { useEffect, useState } from 'preact/hooks';
import { addressIn } from '../../../delegation/address.ts';
import type { Address } from '../../../verifier/verifier.ts';
import { discoverWallets } from './discover.ts';
import type { Wallet } from './provider.ts';
import { walletErrorText } from './wallet-error.ts';

/** A wallet that lets this page see an account. */
export interface Connection {
  readonly wallet: Wallet;
  readonly account: Address;
  /** The chain that the wallet is on. */
  readonly chainId: number;
}

/** The wallets found, and the connection to one of them. */
export interface WalletState {
  readonly wallets: readonly Wallet[];
  readonly connection: Connection | undefined;
  /** What went wrong when connecting or switching; `undefined` while nothing did. */
  readonly problem: string | undefined;
  connect(wallet: Wallet): void;
  switchTo(chainId: number): void;
  leave(): void;
}

/** The first account is the one that the person chose. */
function firstAccount(accounts: unknown): Address | undefined {
  return Array.isArray(accounts) ? addressIn(String(accounts[0])) : undefined;
}

const noAccount = 'The wallet gives no account. Unlock it, or make an account in it, then connect again.';

async function connected(wallet: Wallet): Promise<Connection | string> {
  const { provider } = wallet;
  const account = firstAccount(await provider.request({ method: 'eth_requestAccounts' }));
  if (!account) return noAccount;
  return { wallet, account, chainId: Number(await provider.request({ method: 'eth_chainId' })) };
}

/** Follows what the wallet announces of a connection. */
function useChanges(connection: Connection | undefined, change: (next: Connection | string) => void): void {
  const { wallet } = connection ?? {};
  useEffect(() => {
    if (!connection || !wallet) return undefined;
    const { provider } = wallet;
    const onAccounts = (accounts: unknown) => {
      const account = firstAccount(accounts);
      change(account ? { ...connection, account } : noAccount);
    };
    const onChain = (chainId: unknown) => change({ ...connection, chainId: Number(chainId) });
    provider.on?.('accountsChanged', onAccounts);
    provider.on?.('chainChanged', onChain);
    return () => {
      provider.removeListener?.('accountsChanged', onAccounts);
      provider.removeListener?.('chainChanged', onChain);
    };
  }, [connection]);
}

export function useWallet(): WalletState {
  const [wallets, setWallets] = useState<readonly Wallet[]>([]);
  const [connection, setConnection] = useState<Connection>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => discoverWallets((wallet) => setWallets((before) => [...before, wallet])), []);
  const show = (next: Connection | string | undefined) => {
    setConnection(typeof next === 'string' ? undefined : next);
    setProblem(typeof next === 'string' ? next : undefined);
  };
  useChanges(connection, show);
  const attempt = async (step: () => Promise<void>) => {
    setProblem(undefined);
    await step().catch((error: unknown) => setProblem(walletErrorText(error)));
  };
  return {
    ...{ wallets, connection, problem },
    connect: (wallet) => void attempt(async () => show(await connected(wallet))),
    switchTo: (chainId) => {
      if (connection) void attempt(async () => show(await switched(connection, chainId)));
    },
    leave: () => show(undefined),
  };
}

/** A wallet need not announce the change. */
async function switched(connection: Connection, chainId: number): Promise<Connection> {
  const { provider } = connection.wallet;
  const params = [{ chainId: `0x${chainId.toString(16)}` }];
  await provider.request({ method: 'wallet_switchEthereumChain', params });
  return { ...connection, chainId: Number(await provider.request({ method: 'eth_chainId' })) };
}
