import {
  type Account,
  type Chain,
  createPublicClient,
  createWalletClient,
  type HttpTransport,
  http,
  type PublicClient,
  type WalletClient,
} from 'viem';
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { PlainError } from '../terminal/plain-error.ts';
import { anyChain } from './any-chain.ts';

/** A chain on which the local stack can pay for transactions. */
export interface ConnectedChain {
  readonly chainId: number;
  readonly rpcUrl: string;
  /** Name and version of the node: `anvil/v1.7.1`. */
  readonly version: string;
  /** Whether the node is anvil, on which coins are free. */
  readonly development: boolean;
  readonly publicClient: PublicClient<HttpTransport, Chain>;
  /** Client of the account that pays for the registry, the signer and the authority. */
  readonly walletClient: WalletClient<HttpTransport, Chain, Account>;
}

/** Anvil's public mnemonic. */
const anvilMnemonic = 'test test test test test test test test test test test junk';

const keyName = 'IMPRIMATUR_DEPLOYER_PRIVATE_KEY';

function deployer(development: boolean, key: string | undefined): Account {
  if (key === undefined && development) return mnemonicToAccount(anvilMnemonic);
  if (key === undefined)
    throw new PlainError(`The chain at RPC_URL is not anvil. Set ${keyName} to a funded key.`);
  if (!/^0x[0-9a-fA-F]{64}$/.test(key))
    throw new PlainError(`${keyName} must be 0x and 64 hexadecimal digits.`);
  return privateKeyToAccount(key as `0x${string}`);
}

async function identify(rpcUrl: string): Promise<{ chainId: number; version: string }> {
  const client = createPublicClient({ transport: http(rpcUrl, { retryCount: 2, timeout: 10_000 }) });
  try {
    const version = await client.request({ method: 'web3_clientVersion' });
    return { chainId: await client.getChainId(), version };
  } catch (cause) {
    // The cause's message contains the URL, which may contain a key.
    throw new PlainError(
      'The chain at RPC_URL does not respond. Check the URL, and that the chain is running.',
      {
        cause,
      },
    );
  }
}

/** Connects to a chain. @throws PlainError if the URL or key is invalid, a key is missing, or no chain responds */
export async function connectChain(rpcUrl: string, deployerKey: string | undefined): Promise<ConnectedChain> {
  if (!/^https?:\/\//.test(rpcUrl) || !URL.canParse(rpcUrl))
    throw new PlainError('RPC_URL must be an http or https URL');
  const { chainId, version } = await identify(rpcUrl);
  const development = version.startsWith('anvil/');
  const options = {
    chain: anyChain(chainId),
    transport: http(rpcUrl),
    pollingInterval: development ? 100 : 2000,
  };
  return {
    chainId,
    rpcUrl,
    version,
    development,
    publicClient: createPublicClient(options),
    walletClient: createWalletClient({ ...options, account: deployer(development, deployerKey) }),
  };
}
