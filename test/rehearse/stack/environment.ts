import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { formatEther, parseEther } from 'viem';
import { isTestChain } from '../../../functions/domain/requests/test-keys.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import type { Environment } from '../../../lib/environment/environment.ts';
import { readEnvironment } from '../../../lib/environment/read-environment.ts';
import { checkout } from '../../../local/checkout.ts';
import { connectChain } from '../../../local/stack/connect-chain.ts';
import type { SettingsInput } from '../../../local/stack/stack-settings.ts';
import { PlainError } from '../../../local/terminal/plain-error.ts';
import { assert } from '../conditions.ts';

interface EnvironmentFile {
  readonly settings: SettingsInput & { readonly chains: readonly { readonly chainId: number }[] };
  readonly [field: string]: unknown;
}

/** Environment of the smoke stack, derived from another environment in the same account. */
export interface SmokeEnvironment {
  /** Name of its file, for `-c env=`. */
  readonly name: string;
  readonly account: string;
  readonly region: string;
  readonly stackName: string;
  readonly chain: ChainSettings;
  readonly file: EnvironmentFile;
}

/** Returns the reason to reject a production environment: its name, a tag, or a chain. */
function refusalOf(name: string, { tags, settings }: Environment): string | undefined {
  const productionName = [name, ...Object.values(tags)].find((word) => /prod/i.test(word));
  if (productionName !== undefined) return `its name or a tag is ${productionName}`;
  const productionChain = settings.chains.find((chain) => !isTestChain(chain));
  return productionChain && `${productionChain.name} is not a test chain (chains[].testnet)`;
}

const environmentsPath = `${checkout}/environments`;

/** Makes the environment of the smoke stack. @throws PlainError, FileInvalidError */
export function smokeEnvironment(
  name: string,
  chainId?: number,
  directory = environmentsPath,
): SmokeEnvironment {
  const environment = readEnvironment(name, directory);
  const refusal = refusalOf(name, environment);
  assert(refusal === undefined, `cannot run smoke in ${name}: ${refusal}`);
  const { account, region } = environment;
  const chain = environment.settings.chains.find((one) => chainId === undefined || one.chainId === chainId);
  assert(chain !== undefined, `${name} has no chain ${chainId}`);
  const stackName = `${environment.stackName}-Smoke`;
  const given: EnvironmentFile = JSON.parse(readFileSync(`${directory}/${name}.json`, 'utf8'));
  const file = { ...smokeSettings(given, chain), account, region, stackName };
  return { name: `${name}-smoke`, account, region, stackName, chain, file };
}

/** Settings for one hour: one chain, the key as delegate, fees for which 0.02 coins are enough, no retention, no alarm addresses. */
function smokeSettings({ tags, settings }: EnvironmentFile, { chainId }: ChainSettings): EnvironmentFile {
  const chains = settings.chains
    .filter((one) => one.chainId === chainId)
    .map((one) => ({ ...one, delegates: ['key'], confirmations: 3, maxFeePerGasGwei: 12 }));
  return {
    tags: { ...Object(tags), purpose: 'smoke' },
    retention: { logDays: 7, tables: 'delete', key: 'delete' },
    deletionProtection: false,
    recommendedDelegate: 'key',
    settings: { ...settings, defaultChainId: chainId, chains },
  };
}

export function writeEnvironment(
  { name, file }: SmokeEnvironment,
  changes: Partial<SettingsInput> = {},
): void {
  const written = { ...file, settings: { ...file.settings, ...changes } };
  writeFileSync(`${environmentsPath}/${name}.json`, `${JSON.stringify(written, null, 2)}\n`);
}

export const removeEnvironment = ({ name }: SmokeEnvironment): void =>
  rmSync(`${environmentsPath}/${name}.json`, { force: true });

/** Command that removes everything that a run left. */
export const removalOf = ({ name }: SmokeEnvironment): string =>
  `npm run rehearse -- smoke --env ${name.replace(/-smoke$/, '')} --destroy`;

/** Checks that the credentials are of the environment's account. @returns the caller's ARN */
export async function callerOf(
  { account, region }: Pick<SmokeEnvironment, 'account' | 'region'>,
  getCaller = () => new STSClient({ region }).send(new GetCallerIdentityCommand({})),
): Promise<string> {
  const caller = await getCaller().catch((error: Error) => {
    throw new PlainError(`Cannot identify the AWS credentials. Check AWS_PROFILE: ${error.message}`);
  });
  const { Account: callerAccount, Arn: arn = 'another' } = caller;
  assert(
    callerAccount === account,
    `the environment is in account ${account}, but the credentials are for ${arn}`,
  );
  return arn;
}

export interface Payment {
  readonly rpcUrls: readonly string[];
  /** Private key that pays on the chain. */
  readonly deployerKey: string | undefined;
}

/** Highest cost of a run: 0.02 for the signing key, and fees. */
const minBalance = parseEther('0.03');

/** Checks that the RPC URL is of the chain, and that the key can pay on it. */
export async function checkPayer(
  { chain }: Pick<SmokeEnvironment, 'chain'>,
  { rpcUrls, deployerKey }: Payment,
): Promise<void> {
  const { chainId, publicClient, walletClient } = await connectChain(rpcUrls[0] ?? '', deployerKey);
  assert(chainId === chain.chainId, `the RPC URL is for chain ${chainId}, not ${chain.chainId}`);
  const { address } = walletClient.account;
  const balance = await publicClient.getBalance({ address });
  assert(
    balance >= minBalance,
    `${address} has ${formatEther(balance)} of the coin of ${chain.name}, but a run needs ${formatEther(minBalance)}`,
  );
}
