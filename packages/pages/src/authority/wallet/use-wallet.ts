import type { Address } from 'imprimatur-verifier';
import { addressIn } from 'imprimatur-verifier/delegation';
import { useEffect, useState } from 'preact/hooks';
import { walletErrorText } from './wallet-error.ts';
import { discoverWallets, type Wallet } from './wallets.ts';

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
export function firstAccount(accounts: unknown): Address | undefined {
  return Array.isArray(accounts) ? addressIn(String(accounts[0])) : undefined;
}

const noAccount =
  'The wallet has no account for this page. Unlock it or create an account, then connect again.';

async function connected(wallet: Wallet): Promise<Connection | string> {
  const { provider } = wallet;
  const account = firstAccount(await provider.request({ method: 'eth_requestAccounts' }));
  if (!account) return noAccount;
  return { wallet, account, chainId: Number(await provider.request({ method: 'eth_chainId' })) };
}

/** What a wallet says of itself after it was connected; a text says why it is connected no more. */
type Change = Partial<Pick<Connection, 'account' | 'chainId'>> | string;

/** Follows what the connected wallet announces. */
function useChanges(wallet: Wallet | undefined, change: (wallet: Wallet, told: Change) => void): void {
  useEffect(() => {
    if (!wallet) return undefined;
    const { provider } = wallet;
    const onAccounts = (accounts: unknown) => {
      const account = firstAccount(accounts);
      change(wallet, account ? { account } : noAccount);
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

type Held = Pick<WalletState, 'connection' | 'problem'>;

const held = (next: Connection | string | undefined): Held =>
  typeof next === 'string'
    ? { connection: undefined, problem: next }
    : { connection: next, problem: undefined };

export function useWallet(): WalletState {
  const [wallets, setWallets] = useState<readonly Wallet[]>([]);
  const [{ connection, problem }, setHeld] = useState<Held>(() => held(undefined));
  useEffect(() => discoverWallets((wallet) => setWallets((before) => [...before, wallet])), []);
  const show = (next: Connection | string | undefined) => setHeld(held(next));
  const setProblem = (text: string | undefined) => setHeld((before) => ({ ...before, problem: text }));
  // To what is held by then: a wallet may announce its account and its network in one turn, before anything is drawn anew.
  const change = (wallet: Wallet, told: Change) =>
    setHeld((before) => {
      if (before.connection?.wallet !== wallet) return before;
      return held(typeof told === 'string' ? told : { ...before.connection, ...told });
    });
  useChanges(connection?.wallet, change);
  const attempt = async (step: () => Promise<void>) => {
    setProblem(undefined);
    await step().catch((error: unknown) => setProblem(walletErrorText(error)));
  };
  return {
    ...{ wallets, connection, problem },
    connect: (wallet) => void attempt(async () => show(await connected(wallet))),
    switchTo: (chainId) => {
      const { wallet } = connection ?? {};
      if (wallet) void attempt(async () => change(wallet, { chainId: await switched(wallet, chainId) }));
    },
    leave: () => show(undefined),
  };
}

/** Switches a wallet, which need not announce the change. @returns the chain that it is on then */
async function switched({ provider }: Wallet, chainId: number): Promise<number> {
  const params = [{ chainId: `0x${chainId.toString(16)}` }];
  await provider.request({ method: 'wallet_switchEthereumChain', params });
  return Number(await provider.request({ method: 'eth_chainId' }));
}
