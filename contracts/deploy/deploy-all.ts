import {
  type Account,
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  http,
  keccak256,
} from 'viem';
import { deployContract, isDeployed } from './deploy-contract.ts';
import type { ContractDeployment } from './deployment.ts';
import { forwarderDeployment } from './forwarder-deployment.ts';
import { registryDeployment } from './registry-deployment.ts';

export interface DeployOptions {
  readonly rpcUrl: string;
  /** In seconds. */
  readonly revealDelay: number;
  readonly admin?: Address;
  readonly registry?: Address;
}

/** A contract that is on the chain, with its code as compiled. */
export interface DeployedContract {
  readonly name: string;
  readonly address: Address;
  /** keccak256 of the runtime code, as EXTCODEHASH gives it. */
  readonly codeHash: string;
  /** Whether this run deployed it; false when it was there before. */
  readonly deployedNow: boolean;
}

/** The contracts in the order in which they depend on each other. */
function deployments({ admin, registry, revealDelay }: DeployOptions): ContractDeployment[] {
  const ours = registryDeployment(revealDelay);
  const first = registry === undefined ? [ours] : [];
  return admin === undefined ? first : [...first, forwarderDeployment(registry ?? ours.address, admin)];
}

async function connect(rpcUrl: string) {
  const transport = http(rpcUrl);
  const id = await createPublicClient({ transport }).getChainId();
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  const chain = defineChain({ id, name: `chain ${id}`, nativeCurrency, rpcUrls: { default: { http: [] } } });
  return { chain, transport, publicClient: createPublicClient({ chain, transport, pollingInterval: 1000 }) };
}

/** Deploys the contracts that are missing; `payer` is called only then. */
export async function deployAll(options: DeployOptions, payer: () => Promise<Account>) {
  const { chain, transport, publicClient } = await connect(options.rpcUrl);
  const contracts: DeployedContract[] = [];
  for (const deployment of deployments(options)) {
    const { contractName: name, address, runtimeCode } = deployment;
    const deployedNow = !(await isDeployed(publicClient, deployment));
    if (deployedNow) {
      const walletClient = createWalletClient({ account: await payer(), chain, transport });
      await deployContract({ publicClient, walletClient }, deployment);
    }
    contracts.push({ name, address, codeHash: keccak256(runtimeCode), deployedNow });
  }
  return { chainId: chain.id, contracts };
}
