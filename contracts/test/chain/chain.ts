import { createTestClient, publicActions, walletActions } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { type Anvil, anvilChain, anvilTransport, startAnvil } from '../../../test/fakes/rpc/anvil.ts';

const mnemonic = 'test test test test test test test test test test test junk';

/** One of anvil's funded accounts. */
export function fundedAccount(addressIndex: number) {
  return mnemonicToAccount(mnemonic, { addressIndex });
}

function connect(rpcUrl: string) {
  const options = {
    // anvil knows the methods of Hardhat too, and a node of the next hard fork knows only these.
    mode: 'hardhat',
    chain: anvilChain,
    account: fundedAccount(0),
    cacheTime: 0,
    pollingInterval: 10,
  } as const;
  return createTestClient({ ...options, transport: anvilTransport(rpcUrl) })
    .extend(publicActions)
    .extend(walletActions);
}

export interface TestChain {
  readonly rpcUrl: string;
  readonly client: ReturnType<typeof connect>;
  stop(): Promise<void>;
}

/** A node and one client that can read its chain, write to it and move its clock. */
export function chainOf({ url: rpcUrl, stop }: Anvil): TestChain {
  return { rpcUrl, client: connect(rpcUrl), stop };
}

/** Sends a transaction and waits until it is mined. @returns its receipt */
export async function sendMined(
  { client }: TestChain,
  transaction: Parameters<TestChain['client']['sendTransaction']>[0],
) {
  const hash = await client.sendTransaction(transaction);
  return client.waitForTransactionReceipt({ hash });
}

/** A fresh chain. @param options of anvil */
export async function startChain(options: readonly string[] = []): Promise<TestChain> {
  return chainOf(await startAnvil(options));
}
