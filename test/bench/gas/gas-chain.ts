import { brotliCompressSync } from 'node:zlib';
import { delegateForwarderAbi } from 'imprimatur-contracts/delegate-forwarder-abi';
import { deployForwarder } from 'imprimatur-contracts/deploy/deploy-forwarder';
import { deployRegistry } from 'imprimatur-contracts/deploy/deploy-registry';
import {
  type Address,
  createTestClient,
  type Hex,
  type LocalAccount,
  parseEther,
  parseEventLogs,
  publicActions,
  size,
  toBytes,
  walletActions,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { hash } from '../../../contracts/test/chain/attest.ts';
import { fundedAccount } from '../../../contracts/test/chain/chain.ts';
import { serviceChain } from '../../../contracts/test/chain/service/chain.ts';
import type { Chain } from '../../../functions/domain/chain.ts';
import { anvilChain, anvilTransport } from '../../fakes/rpc/anvil.ts';

/** What transactions cost: gas of their receipts, and bytes of their calldata. */
export interface Cost {
  readonly gas: number;
  readonly calldata: number;
  /** Calldata by Brotli at its best, each transaction by itself. */
  readonly compressed: number;
}

/** A call that should have succeeded reverted: its gas would be that of a failure. */
export class CallFailedError extends Error {
  override readonly name = 'CallFailedError';
}

/** More than any transaction here takes: 96 attestations, or the deployment of EAS, at the price of state of EIP-8037. */
export const ampleGas = 50_000_000n;

const revealDelaySeconds = 60;

const connect = (rpcUrl: string) =>
  createTestClient({
    mode: 'hardhat',
    chain: anvilChain,
    account: fundedAccount(0),
    cacheTime: 0,
    pollingInterval: 10,
    transport: anvilTransport(rpcUrl),
  })
    .extend(publicActions)
    .extend(walletActions);

/** Sums costs up, shared out over so many attestations. */
export function share(costs: readonly Cost[], count: number): Cost {
  const mean = (of: keyof Cost) => Math.round(costs.reduce((sum, cost) => sum + cost[of], 0) / count);
  return { gas: mean('gas'), calldata: mean('calldata'), compressed: mean('compressed') };
}

/** A chain with the registry and a forwarder, of which every account may be an operator. */
export class GasChain {
  /** The chain as the service sees it. */
  readonly service: Chain;
  readonly client: ReturnType<typeof connect>;
  readonly registry: Address;
  readonly forwarder: Address;
  #words = 0;

  private constructor(
    url: string,
    client: ReturnType<typeof connect>,
    registry: Address,
    forwarder: Address,
  ) {
    this.service = serviceChain(url, registry);
    this.client = client;
    this.registry = registry;
    this.forwarder = forwarder;
  }

  static async open(url: string): Promise<GasChain> {
    const client = connect(url);
    const clients = { publicClient: client, walletClient: client };
    const registry = await deployRegistry({ ...clients, revealDelaySeconds });
    const admin = client.account.address;
    return new GasChain(url, client, registry, await deployForwarder({ ...clients, registry, admin }));
  }

  /** An account of that number, always the same, with funds. */
  async account(number: number): Promise<LocalAccount> {
    const account = privateKeyToAccount(hash(900_000 + number));
    await this.client.setBalance({ address: account.address, value: parseEther('100') });
    return account;
  }

  /** A word that looks random: new each time, and the same on every chain, since gas depends on the bytes of calldata. */
  word(): Hex {
    return hash(500_000 + this.#words++);
  }

  /** Sends a transaction in a block of its own. @returns whether it succeeded in full, and what it cost */
  async try(account: LocalAccount, to: Address | undefined, data: Hex, gas = ampleGas) {
    const transactionHash = await this.client.sendTransaction({ account, to: to ?? null, data, gas });
    const receipt = await this.client.waitForTransactionReceipt({ hash: transactionHash });
    const failedCalls = parseEventLogs({
      abi: delegateForwarderAbi,
      logs: receipt.logs,
      eventName: 'CallFailed',
    });
    const cost: Cost = {
      gas: Number(receipt.gasUsed),
      calldata: size(data),
      compressed: brotliCompressSync(toBytes(data)).length,
    };
    return { ...receipt, succeeded: receipt.status === 'success' && failedCalls.length === 0, cost };
  }

  /** Sends a transaction that has to succeed. @throws CallFailedError */
  async send(account: LocalAccount, to: Address | undefined, data: Hex) {
    const sent = await this.try(account, to, data);
    if (!sent.succeeded) throw new CallFailedError('a call of the bench reverted');
    return sent;
  }

  /** Lets the reveal delay pass. */
  async pass(): Promise<void> {
    await this.client.increaseTime({ seconds: revealDelaySeconds });
    await this.client.mine({ blocks: 1 });
  }
}
