import {
  type Address,
  BaseError,
  type ContractFunctionArgs,
  type ContractFunctionName,
  ContractFunctionRevertedError,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  getContract,
  parseEventLogs,
} from 'viem';
import { attestationRegistryAbi as abi } from '../../artifacts/attestation-registry-abi.ts';
import { deployRegistry } from '../../deploy/deploy-registry.ts';
import { fundedAccount, startChain, type TestChain } from './chain.ts';

type Abi = typeof abi;
type Write = ContractFunctionName<Abi, 'nonpayable'>;
type Args<Name extends Write> = ContractFunctionArgs<Abi, 'nonpayable', Name>;

export const author = fundedAccount(1).address;
export const other = fundedAccount(2).address;
export const platform = fundedAccount(4).address;
export const stranger = fundedAccount(5).address;

const views = (chain: TestChain, address: Address) =>
  getContract({ address, abi, client: chain.client }).read;

export class RegistryFixture {
  readonly chain: TestChain;
  readonly address: Address;
  readonly view: ReturnType<typeof views>;
  constructor(chain: TestChain, address: Address) {
    this.chain = chain;
    this.address = address;
    this.view = views(chain, address);
  }

  static async deploy(chain: TestChain, revealDelaySeconds: number): Promise<RegistryFixture> {
    const clients = { publicClient: chain.client, walletClient: chain.client };
    return new RegistryFixture(chain, await deployRegistry({ ...clients, revealDelaySeconds }));
  }

  private call<Name extends Write>(from: Address, functionName: Name, args: Args<Name>) {
    const data = encodeFunctionData({ abi, functionName, args } as unknown as EncodeFunctionDataParameters);
    return { account: from, to: this.address, data };
  }

  async mine<Name extends Write>(from: Address, functionName: Name, args: Args<Name>) {
    const { client } = this.chain;
    const hash = await client.sendTransaction({ ...this.call(from, functionName, args), gas: 1_000_000n });
    const receipt = await client.waitForTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw new Error(`${functionName} reverted`);
    const { timestamp } = await client.getBlock({ blockHash: receipt.blockHash });
    const logs = parseEventLogs({ abi, logs: receipt.logs });
    return { timestamp, events: logs.map(({ eventName, args }) => ({ eventName, args })) };
  }

  /** The custom error of a simulated call; `undefined` if it succeeds. */
  async error<Name extends Write>(from: Address, functionName: Name, args: Args<Name>) {
    const parameters = { address: this.address, abi, functionName, args, account: from };
    return this.reasonOf(this.chain.client.simulateContract(parameters as never));
  }

  private async reasonOf(call: Promise<unknown>) {
    const failure: unknown = await call.then(() => null).catch((error: unknown) => error);
    if (failure === null) return undefined;
    const revert =
      failure instanceof BaseError && failure.walk((cause) => cause instanceof ContractFunctionRevertedError);
    if (!(revert instanceof ContractFunctionRevertedError)) throw failure;
    return { errorName: revert.data?.errorName, args: revert.data?.args };
  }

  async setNextTimestamp(timestamp: bigint): Promise<void> {
    await this.chain.client.setNextBlockTimestamp({ timestamp });
  }

  /** Mines an empty block with this timestamp. */
  async mineAt(timestamp: bigint): Promise<void> {
    await this.setNextTimestamp(timestamp);
    await this.chain.client.mine({ blocks: 1 });
  }

  stop(): Promise<void> {
    return this.chain.stop();
  }
}

export async function startRegistry(options: readonly string[] = []): Promise<RegistryFixture> {
  return registryOn(await startChain(options));
}

export const registryOn = (chain: TestChain) => RegistryFixture.deploy(chain, 60);
