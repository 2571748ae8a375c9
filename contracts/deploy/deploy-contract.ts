import { setTimeout as pause } from 'node:timers/promises';
import {
  type Account,
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
  /** Client of the account that pays; the address does not depend on it. */
  readonly walletClient: Client<Transport, Chain | undefined, Account>;
}

/** A failed deployment; the message is one line. */
export class DeploymentError extends Error {}

/** Whether the contract exists with the compiled code. @throws DeploymentError for different code */
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

/** How long to wait for another process's deployment: some blocks of a slow chain. */
const maxWaitMilliseconds = 60_000;

/** Whether another process may be deploying: it used the nonce, or its pending transaction makes the proxy refuse a second one. */
const mayBePending = (cause: unknown): boolean =>
  cause instanceof BaseError &&
  cause.walk(
    (error) =>
      error instanceof NonceTooLowError ||
      error instanceof ExecutionRevertedError ||
      (error instanceof BaseError && /replacement transaction/i.test(error.details)),
  ) !== null;

async function isDeployedIn(publicClient: Client, deployment: ContractDeployment, milliseconds: number) {
  const deadline = Date.now() + milliseconds;
  while (!(await isDeployed(publicClient, deployment))) {
    if (Date.now() >= deadline) return false;
    await pause(Math.min(publicClient.pollingInterval, 1000));
  }
  return true;
}

/** Deploys a contract through the CREATE2 proxy unless it exists, and returns its address. @throws DeploymentError */
export async function deployContract(clients: DeploymentClients, deployment: ContractDeployment) {
  const { publicClient } = clients;
  if (await isDeployed(publicClient, deployment)) return deployment.address;
  if ((await getCode(publicClient, { address: create2ProxyAddress })) === undefined)
    throw new DeploymentError(`The chain has no CREATE2 proxy at ${create2ProxyAddress}. Deploy it first.`);
  // The proxy refuses a second deployment, so this failure does not matter if another account was first.
  const failure = await sendDeployment(clients, deployment.proxyCalldata).catch((cause: unknown) => ({
    cause,
  }));
  const wait = failure && mayBePending(failure.cause) ? maxWaitMilliseconds : 0;
  if (await isDeployedIn(publicClient, deployment, wait)) return deployment.address;
  const { address, contractName } = deployment;
  throw new DeploymentError(
    `There is no ${contractName} at ${address} after the deployment`,
    failure ?? undefined,
  );
}
