import { setTimeout as pause } from 'node:timers/promises';
import {
  type Account,
  type Address,
  BaseError,
  type Chain,
  type Client,
  ExecutionRevertedError,
  NonceTooLowError,
  type Transport,
} from 'viem';
import { getCode, sendTransaction, waitForTransactionReceipt } from 'viem/actions';
import { type ContractDeployment, create2ProxyAddress } from './deployment.ts';

export interface DeploymentClients {
  readonly publicClient: Client;
  /** Client of the account that pays for the deployment; the contract does not depend on the account. */
  readonly walletClient: Client<Transport, Chain | undefined, Account>;
}

/** A deployment that did not come about; the message is one line that says why. */
export class DeploymentError extends Error {}

/** Whether the contract is there, with its code as compiled. @throws DeploymentError if the code is another */
export async function isDeployed(publicClient: Client, deployment: ContractDeployment): Promise<boolean> {
  const code = await getCode(publicClient, { address: deployment.address });
  if (code === undefined) return false;
  const { address, contractName } = deployment;
  if (code !== deployment.runtimeCode)
    throw new DeploymentError(`The code at ${address} differs from the compiled ${contractName}.`);
  return true;
}

async function sendDeployment(clients: DeploymentClients, data: ContractDeployment['proxyCalldata']) {
  const { publicClient, walletClient } = clients;
  const { account, chain } = walletClient;
  const hash = await sendTransaction(walletClient, { account, chain, to: create2ProxyAddress, data });
  await waitForTransactionReceipt(publicClient, { hash });
}

/** Time for which a deployment that another process has under way is waited for: some blocks of a slow chain. */
const mostWaitMilliseconds = 60_000;

/**
 * Whether another process may deploy at this moment: the account has sent with this nonce, or the proxy would refuse a second
 * deployment, which nodes tell by what is not mined yet.
 */
const isUnderWay = (cause: unknown): boolean =>
  cause instanceof BaseError &&
  cause.walk(
    (error) =>
      error instanceof NonceTooLowError ||
      error instanceof ExecutionRevertedError ||
      (error instanceof BaseError && /replacement transaction/i.test(error.details)),
  ) !== null;

async function isDeployedIn(publicClient: Client, deployment: ContractDeployment, milliseconds: number) {
  const until = Date.now() + milliseconds;
  while (!(await isDeployed(publicClient, deployment))) {
    if (Date.now() >= until) return false;
    await pause(Math.min(publicClient.pollingInterval, 1000));
  }
  return true;
}

/** Deploys a contract through the CREATE2 proxy, unless it is there already, and gives its address. @throws DeploymentError */
export async function deployContract(
  clients: DeploymentClients,
  deployment: ContractDeployment,
): Promise<Address> {
  const { publicClient } = clients;
  if (await isDeployed(publicClient, deployment)) return deployment.address;
  if ((await getCode(publicClient, { address: create2ProxyAddress })) === undefined)
    throw new DeploymentError(`The chain has no CREATE2 proxy at ${create2ProxyAddress}. Deploy it first.`);
  // The proxy refuses a second deployment: when another account's came first, the failure does not count.
  const failure = await sendDeployment(clients, deployment.proxyCalldata).catch((cause: unknown) => ({
    cause,
  }));
  const wait = failure && isUnderWay(failure.cause) ? mostWaitMilliseconds : 0;
  if (await isDeployedIn(publicClient, deployment, wait)) return deployment.address;
  const { address, contractName } = deployment;
  throw new DeploymentError(
    `There is no ${contractName} at ${address} after the deployment`,
    failure ?? undefined,
  );
}
