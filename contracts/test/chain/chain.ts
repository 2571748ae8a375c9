import { createTestClient, publicActions, walletActions } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { anvilChain, anvilTransport, startAnvil } from '../../../test/fakes/rpc/anvil.ts';

const mnemonic = 'test test test test test test test test test test test junk';

/** One of anvil's funded accounts. */
export function fundedAccount(addressIndex: number) {
  return mnemonicToAccount(mnemonic, { addressIndex });
}

function connect(rpcUrl: string) {
  const options = {
    mode: 'anvil',
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

/** A fresh chain and one client that can read it, write to it and move its clock. @param options of anvil */
export async function startChain(options: readonly string[] = []): Promise<TestChain> {
  const { url: rpcUrl, stop } = await startAnvil(options);
  return { rpcUrl, client: connect(rpcUrl), stop };
}
