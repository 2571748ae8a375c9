import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isTestChain } from '../../functions/domain/requests/test-keys.ts';
import type { ChainSettings } from '../../functions/domain/settings.ts';
import type { Environment } from '../../lib/environment/environment.ts';
import { readEnvironment } from '../../lib/environment/read-environment.ts';
import { checkout } from '../../local/checkout.ts';
import type { SettingsInput } from '../../local/stack/stack-settings.ts';
import { PlainError } from '../../local/terminal/plain-error.ts';

/** An environment that is not for trying things out. */
export class EnvironmentRefusedError extends PlainError {
  override readonly name = 'EnvironmentRefusedError';
}

/** Contents of an environment's file. */
interface EnvironmentFile {
  readonly settings: SettingsInput & { readonly chains: readonly { readonly chainId: number }[] };
  readonly [field: string]: unknown;
}

/** Environment of the stack that is tried, beside the one that it is named after. */
export interface SmokeEnvironment {
  /** Name of its file, for `-c env=`. */
  readonly name: string;
  readonly account: string;
  readonly region: string;
  readonly stackName: string;
  readonly chain: ChainSettings;
  readonly file: EnvironmentFile;
}

/** Why it is refused: it is production by its name, or has a chain whose coins are worth something. */
function refusalOf(name: string, { tags, settings }: Environment): string | undefined {
  const called = [name, ...Object.values(tags)].find((word) => /prod/i.test(word));
  if (called !== undefined) return `it is called ${called}`;
  const real = settings.chains.find((chain) => !isTestChain(chain));
  return real && `${real.name} is no test chain (chains[].testnet)`;
}

/** Makes the environment of the stack that is tried. @throws EnvironmentRefusedError, FileInvalidError */
export function smokeEnvironment(
  name: string,
  chainId?: number,
  directory = `${checkout}/environments`,
): SmokeEnvironment {
  const environment = readEnvironment(name, directory);
  const refusal = refusalOf(name, environment);
  if (refusal !== undefined) throw new EnvironmentRefusedError(`smoke refuses ${name}: ${refusal}`);
  const { account, region } = environment;
  const chain = environment.settings.chains.find((one) => chainId === undefined || one.chainId === chainId);
  if (!chain) throw new EnvironmentRefusedError(`${name} has no chain ${chainId}`);
  const stackName = `${environment.stackName}-Smoke`;
  const given: EnvironmentFile = JSON.parse(readFileSync(`${directory}/${name}.json`, 'utf8'));
  const file = { ...forOneHour(given, chain), account, region, stackName };
  return { name: `${name}-smoke`, account, region, stackName, chain, file };
}

/** The same for an hour: one chain with the key as delegate, final soon; nothing is kept, and nobody woken. */
function forOneHour({ tags, settings }: EnvironmentFile, { chainId }: ChainSettings): EnvironmentFile {
  const chains = settings.chains
    .filter((one) => one.chainId === chainId)
    .map((one) => ({ ...one, delegates: ['key'], confirmations: 3, maxFeePerGasGwei: 20 }));
  return {
    tags: { ...Object(tags), purpose: 'smoke' },
    retention: { logDays: 7, tables: 'delete', key: 'delete' },
    deletionProtection: false,
    recommendedDelegate: 'key',
    settings: { ...settings, defaultChainId: chainId, chains },
  };
}

const pathOf = ({ name }: Pick<SmokeEnvironment, 'name'>) => `${checkout}/environments/${name}.json`;

/** Writes the environment's file, from which the CDK deploys and destroys. */
export function writeEnvironment(environment: SmokeEnvironment, changes: Partial<SettingsInput> = {}): void {
  const { file } = environment;
  const written = { ...file, settings: { ...file.settings, ...changes } };
  writeFileSync(pathOf(environment), `${JSON.stringify(written, null, 2)}\n`);
}

export function removeEnvironment(environment: Pick<SmokeEnvironment, 'name'>): void {
  rmSync(pathOf(environment), { force: true });
}
