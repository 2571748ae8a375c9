import type { Address } from 'imprimatur-verifier';
import { tryParseAddress } from 'imprimatur-verifier/delegation';
import { useEffect, useState } from 'preact/hooks';
import { walletErrorText } from './wallet-error.ts';
import { discoverWallets, type Wallet } from './wallets.ts';

export interface Connection {
  readonly wallet: Wallet;
  readonly account: Address;
  readonly chainId: number;
}

export interface WalletState {
  readonly wallets: readonly Wallet[];
  readonly connection: Connection | undefined;
  /** Why connecting or switching networks failed, or why the wallet is disconnected. */
  readonly problem: string | undefined;
  connect(wallet: Wallet): void;
  switchTo(chainId: number): void;
  disconnect(): void;
}

/** The first account is the one that the user selected. */
export function firstAccount(accounts: unknown): Address | undefined {
  return Array.isArray(accounts) ? tryParseAddress(String(accounts[0])) : undefined;
}

const noAccountText =
  'The wallet has no account for this page. Unlock it or create an account, then connect again.';

async function connectTo(wallet: Wallet): Promise<Connection | string> {
  const { provider } = wallet;
  const account = firstAccount(await provider.request({ method: 'eth_requestAccounts' }));
  if (!account) return noAccountText;
  return { wallet, account, chainId: Number(await provider.request({ method: 'eth_chainId' })) };
}

/** A change that a connected wallet announces. A string explains why the wallet is disconnected. */
type Change = Partial<Pick<Connection, 'account' | 'chainId'>> | string;

function useChanges(wallet: Wallet | undefined, change: (wallet: Wallet, update: Change) => void): void {
  useEffect(() => {
    if (!wallet) return undefined;
    const { provider } = wallet;
    const onAccounts = (accounts: unknown) => {
      const account = firstAccount(accounts);
      change(wallet, account ? { account } : noAccountText);
    };
    const onChain = (chainId: unknown) => change(wallet, { chainId: Number(chainId) });
    provider.on?.('accountsChanged', onAccounts);
    provider.on?.('chainChanged', onChain);
    return () => {
      provider.removeListener?.('accountsChanged', onAccounts);
      provider.removeListener?.('chainChanged', onChain);
    };
  }, [wallet]);
}

type ConnectionState = Pick<WalletState, 'connection' | 'problem'>;

const stateOf = (next: Connection | string | undefined): ConnectionState =>
  typeof next === 'string'
    ? { connection: undefined, problem: next }
    : { connection: next, problem: undefined };

export function useWallet(): WalletState {
  const [wallets, setWallets] = useState<readonly Wallet[]>([]);
  const [{ connection, problem }, setState] = useState<ConnectionState>(() => stateOf(undefined));
  useEffect(() => discoverWallets((wallet) => setWallets((previous) => [...previous, wallet])), []);
  const show = (next: Connection | string | undefined) => setState(stateOf(next));
  const setProblem = (text: string | undefined) => setState((previous) => ({ ...previous, problem: text }));
  // Uses the newest state, because a wallet may announce its account and its network before the next rendering.
  const change = (wallet: Wallet, update: Change) =>
    setState((previous) => {
      if (previous.connection?.wallet !== wallet) return previous;
      return stateOf(typeof update === 'string' ? update : { ...previous.connection, ...update });
    });
  useChanges(connection?.wallet, change);
  const attempt = async (step: () => Promise<void>) => {
    setProblem(undefined);
    await step().catch((error: unknown) => setProblem(walletErrorText(error)));
  };
  return {
    ...{ wallets, connection, problem },
    connect: (wallet) => void attempt(async () => show(await connectTo(wallet))),
    switchTo: (chainId) => {
      const { wallet } = connection ?? {};
      if (wallet) void attempt(async () => change(wallet, { chainId: await switchNetwork(wallet, chainId) }));
    },
    disconnect: () => show(undefined),
  };
}

/** Switches a wallet's network. @returns the new chain, because wallets need not announce the change */
async function switchNetwork({ provider }: Wallet, chainId: number): Promise<number> {
  const params = [{ chainId: `0x${chainId.toString(16)}` }];
  await provider.request({ method: 'wallet_switchEthereumChain', params });
  return Number(await provider.request({ method: 'eth_chainId' }));
}
