import { KMSClient } from '@aws-sdk/client-kms';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import codeHashes from 'imprimatur-contracts/deploy/code-hashes.json' with { type: 'json' };
import { DeploymentError, deployContract, isDeployed } from 'imprimatur-contracts/deploy/deploy-contract';
import type { ContractDeployment } from 'imprimatur-contracts/deploy/deployment';
import { forwarderDeployment } from 'imprimatur-contracts/deploy/forwarder-deployment';
import { registryAddress, registryDeployment } from 'imprimatur-contracts/deploy/registry-deployment';
import { helpText } from 'imprimatur-terminal/help';
import { wholeNumber } from 'imprimatur-terminal/whole-number';
import {
  type Address,
  BaseError,
  createPublicClient,
  createWalletClient,
  getAddress,
  http,
  isAddress,
  keccak256,
} from 'viem';
import { type Account, privateKeyToAccount } from 'viem/accounts';
import { anyChain } from '../../local/stack/any-chain.ts';
import { kmsAccount } from './kms-account.ts';

const privateKeyVariable = 'IMPRIMATUR_DEPLOYER_PRIVATE_KEY';
const kmsKeyVariable = 'IMPRIMATUR_DEPLOYER_KMS_KEY';

const description = `Deploy the registry, and with --admin the forwarder, at addresses that are the same on every chain, and verify their code. \
Existing contracts are only verified.`;

const notes = `Environment variables, needed only to deploy:
  ${privateKeyVariable}  private key that pays
  ${kmsKeyVariable}      or the ID of a KMS key that pays`;

const help = helpText({
  notes,
  examples: [
    'npm run deploy --workspace contracts -- --rpc http://127.0.0.1:8545',
    'npm run deploy --workspace contracts -- --rpc http://127.0.0.1:8545 --admin ADDRESS',
  ],
  exitCodes: { 0: 'all contracts are deployed and verified', 1: 'failure', 2: 'wrong usage' },
});

function parseAddress(text: string): Address {
  if (!isAddress(text)) throw new InvalidArgumentError('Use a valid address.');
  if (BigInt(text) === 0n) throw new InvalidArgumentError('Use an address other than the zero address.');
  return getAddress(text);
}

interface DeployOptions {
  readonly rpcUrl: string;
  /** In seconds. */
  readonly revealDelay: number;
  readonly admin?: Address;
  readonly registry?: Address;
}

interface DeployedContract {
  readonly name: string;
  readonly address: Address;
  /** keccak256 of the runtime code, as EXTCODEHASH returns it. */
  readonly codeHash: string;
  /** Whether this run deployed it. */
  readonly deployedNow: boolean;
}

function deployments({ admin, registry, revealDelay }: DeployOptions): ContractDeployment[] {
  const planned = registryDeployment(revealDelay);
  const first = registry === undefined ? [planned] : [];
  return admin === undefined ? first : [...first, forwarderDeployment(registry ?? planned.address, admin)];
}

async function connect(rpcUrl: string) {
  const transport = http(rpcUrl);
  const id = await createPublicClient({ transport }).getChainId();
  const chain = anyChain(id);
  return { chain, transport, publicClient: createPublicClient({ chain, transport, pollingInterval: 1000 }) };
}

/** Deploys the contracts that are missing; `payer` is called only then. */
async function deployAll(options: DeployOptions, payer: () => Promise<Account>) {
  const { chain, transport, publicClient } = await connect(options.rpcUrl);
  if (options.registry && !(await publicClient.getCode({ address: options.registry })))
    throw new DeploymentError(`Chain ${chain.id} has no registry at ${options.registry}. Check --registry.`);
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

/** Reads the payer from the environment, because others can read arguments of a process. @throws DeploymentError */
async function deployerAccount(environment: NodeJS.ProcessEnv): Promise<Account> {
  const privateKey = environment[privateKeyVariable];
  const kmsKey = environment[kmsKeyVariable];
  if (privateKey === undefined && kmsKey === undefined)
    throw new DeploymentError(`Set ${privateKeyVariable} or ${kmsKeyVariable} to a funded key.`);
  if (privateKey !== undefined && kmsKey !== undefined)
    throw new DeploymentError(`Set only one of ${privateKeyVariable} and ${kmsKeyVariable}.`);
  if (kmsKey !== undefined) return kmsAccount(new KMSClient(), kmsKey);
  if (!/^0x[0-9a-fA-F]{64}$/.test(privateKey ?? ''))
    throw new DeploymentError(`${privateKeyVariable} must be 0x and 64 hexadecimal digits.`);
  return privateKeyToAccount(privateKey as `0x${string}`);
}

/** Compares the production registry with the published hash. @throws DeploymentError */
function checkCodeHash({ name, address, codeHash }: DeployedContract): void {
  const { revealDelaySeconds, runtimeCodeHash } = codeHashes.AttestationRegistry;
  if (address !== registryAddress(revealDelaySeconds) || codeHash === runtimeCodeHash) return;
  const published = `contracts/deploy/code-hashes.json has ${runtimeCodeHash}`;
  throw new DeploymentError(`${name} at ${address} has code hash ${codeHash}, but ${published}.`);
}

const line = ({ name, address, codeHash, deployedNow }: DeployedContract) =>
  `${name} ${address} ${deployedNow ? 'deployed now' : 'already deployed'}, code verified, code hash ${codeHash}`;

/** Returns only viem's short message, because the full one repeats the URL, which may contain a provider's key. */
function plainMessage(error: unknown): string {
  if (error instanceof DeploymentError)
    return error.cause instanceof BaseError ? `${error.message}: ${error.cause.shortMessage}` : error.message;
  if (error instanceof BaseError) return `The request to the chain failed: ${error.shortMessage}`;
  throw error;
}

async function deploy(
  { json, ...options }: DeployOptions & { json?: true },
  { environment, write, writeError }: DeployContext,
): Promise<number> {
  try {
    const result = await deployAll(options, () => deployerAccount(environment));
    result.contracts.forEach(checkCodeHash);
    const text = [`chain ${result.chainId}`, ...result.contracts.map(line)].join('\n');
    write(`${json ? JSON.stringify(result) : text}\n`);
    return 0;
  } catch (error) {
    writeError(`${plainMessage(error)}\n`);
    return 1;
  }
}

export interface DeployContext {
  readonly environment: NodeJS.ProcessEnv;
  write(text: string): void;
  writeError(text: string): void;
}

/** Runs one command line. @returns its exit code */
export async function runDeploy(argv: readonly string[], context: DeployContext): Promise<number> {
  let exitCode = 0;
  const program = new Command('npm run deploy --workspace contracts --')
    .description(description)
    .option('--rpc <url>', 'RPC URL of the chain (env: RPC_URL)')
    .option('--reveal-delay <s>', 'seconds between commit and reveal', wholeNumber(0, 86_400), 60)
    .option(
      '--admin <address>',
      'also deploy the forwarder with this admin, in production a multisig',
      parseAddress,
    )
    .option(
      '--registry <address>',
      'existing registry for the forwarder, instead of deploying one',
      parseAddress,
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', help)
    .configureOutput({ writeOut: context.write, writeErr: context.writeError })
    .exitOverride();
  program.action(async ({ rpc = context.environment.RPC_URL ?? '', ...options }) => {
    // The URL may contain a provider's key, so no message repeats it.
    if (!/^https?:\/\//.test(rpc) || !URL.canParse(rpc))
      program.error('error: --rpc (or RPC_URL) must be an http or https URL');
    if (options.registry !== undefined && options.admin === undefined)
      program.error('error: --registry needs --admin');
    exitCode = await deploy({ rpcUrl: rpc, ...options }, context);
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}
