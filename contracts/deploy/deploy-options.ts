import { parseArgs } from 'node:util';
import { type Address, getAddress, isAddress } from 'viem';
import { kmsKeyVariable, privateKeyVariable } from './deployer-account.ts';

export const deployHelp = `npm run contracts:deploy -- --rpc URL [options]

Deploys the registry, and with --admin the forwarder, at the same addresses on every chain, through the CREATE2 proxy.
What is there already is left alone. Prints addresses and code hashes, and verifies the code: that of the registry
against the committed contracts/deploy/code-hashes.json when its delay is 60.

  --rpc URL           the chain; may also be in RPC_URL
  --reveal-delay S    seconds between commit and reveal; default 60, as in production
  --admin ADDRESS     deploys the forwarder too, with this first admin (in production a multisig)
  --registry ADDRESS  the registry that the forwarder serves, instead of deploying one
  --json              one JSON object on standard output
  --help              this text

Environment: ${privateKeyVariable}, or ${kmsKeyVariable} (a KMS key's id, with AWS credentials): who pays.
Not needed when there is nothing to deploy.
Exit status: 0 all there and verified, 1 not, 2 these options make no sense.`;

/** Options that cannot be used; the message says which and why. */
export class DeployOptionInvalidError extends Error {
  override name = 'DeployOptionInvalidError';
}

export interface DeployOptions {
  readonly rpcUrl: string;
  readonly revealDelaySeconds: number;
  readonly admin: Address | undefined;
  readonly registry: Address | undefined;
  readonly json: boolean;
}

const options = {
  rpc: { type: 'string' },
  'reveal-delay': { type: 'string', default: '60' },
  admin: { type: 'string' },
  registry: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false, short: 'h' },
} as const;

function parseAddress(option: string, value: string | undefined): Address | undefined {
  if (value === undefined) return undefined;
  if (!isAddress(value)) throw new DeployOptionInvalidError(`${option} is not an address, or mistyped`);
  if (BigInt(value) === 0n) throw new DeployOptionInvalidError(`${option} is the zero address`);
  return getAddress(value);
}

function parseDelay(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 86_400) return Number(value);
  throw new DeployOptionInvalidError('--reveal-delay is not a whole number of seconds from 0 to 86400');
}

function readValues(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options }).values;
  } catch (error) {
    throw new DeployOptionInvalidError(error instanceof Error ? error.message : String(error));
  }
}

/** Parses the command line. @returns undefined when help is asked for. @throws DeployOptionInvalidError */
export function parseDeployOptions(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
): DeployOptions | undefined {
  const values = readValues(argv);
  if (values.help) return undefined;
  const rpcUrl = values.rpc ?? environment.RPC_URL ?? '';
  // The URL may hold a provider's key: no message repeats it.
  if (!/^https?:\/\//.test(rpcUrl) || !URL.canParse(rpcUrl))
    throw new DeployOptionInvalidError('--rpc (or RPC_URL) must be an http or https URL');
  const registry = parseAddress('--registry', values.registry);
  const admin = parseAddress('--admin', values.admin);
  if (registry !== undefined && admin === undefined)
    throw new DeployOptionInvalidError('--registry is for the forwarder, which takes --admin');
  return {
    rpcUrl,
    revealDelaySeconds: parseDelay(values['reveal-delay']),
    admin,
    registry,
    json: values.json,
  };
}
