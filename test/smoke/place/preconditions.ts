import { paginateGetParametersByPath, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { formatEther, parseEther } from 'viem';
import { connectChain } from '../../../local/stack/connect-chain.ts';
import { EnvironmentRefusedError, type SmokeEnvironment } from '../smoke-environment.ts';
import { leftTables } from './point-in-time.ts';
import { stackStatus } from './stack-resources.ts';

/** What a run spends at most: 0.022 for the delegation and the signing key, and fees. */
const leastBalance = parseEther('0.03');

function refuseUnless(condition: boolean, why: string): asserts condition {
  if (!condition) throw new EnvironmentRefusedError(why);
}

/** @throws EnvironmentRefusedError if the SDK would ask something other than AWS, which then would be what is proven */
export function refuseEndpoints(variables: Readonly<Record<string, string | undefined>>): void {
  const set = Object.keys(variables).filter((name) => name.startsWith('AWS_ENDPOINT_URL') && variables[name]);
  refuseUnless(set.length === 0, `unset ${set.join(', ')}: with it an emulator would answer instead of AWS`);
}

interface Caller {
  readonly account: string | undefined;
  readonly arn: string | undefined;
  /** Host that answered. */
  readonly host: string;
}

async function whoAmI(region: string): Promise<Caller> {
  const client = new STSClient({ region });
  let host = '';
  client.middlewareStack.add(
    (next) => (args) => {
      host = String(Object(args).request.hostname);
      return next(args);
    },
    { step: 'finalizeRequest' },
  );
  try {
    const { Account: account, Arn: arn } = await client.send(new GetCallerIdentityCommand({}));
    return { account, arn, host };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new EnvironmentRefusedError(
      `AWS does not say whose credentials these are (AWS_PROFILE, …): ${said}`,
    );
  }
}

/** Looks that the credentials are of the environment's account. @returns the caller's ARN @throws EnvironmentRefusedError */
export async function callerOf(
  { account, region }: Pick<SmokeEnvironment, 'account' | 'region'>,
  ask: (region: string) => Promise<Caller> = whoAmI,
): Promise<string> {
  const caller = await ask(region);
  const { host, arn = 'the caller' } = caller;
  // A profile may name an endpoint, too.
  const isAws = /\.amazonaws\.[a-z.]+$/.test(host);
  refuseUnless(isAws, `${host} answers instead of AWS: take endpoint_url out of the profile`);
  refuseUnless(
    caller.account === account,
    `the environment is account ${account}, and the credentials are of ${arn}`,
  );
  return arn;
}

/** Looks that the RPC URL is of the chain, and that the key can pay on it. @throws EnvironmentRefusedError, ChainUnusableError */
export async function checkPayer(
  { chain }: Pick<SmokeEnvironment, 'chain'>,
  { rpcUrls, deployerKey }: { readonly rpcUrls: readonly string[]; readonly deployerKey: string | undefined },
): Promise<void> {
  const { chainId, publicClient, walletClient } = await connectChain(rpcUrls[0] ?? '', deployerKey);
  refuseUnless(chainId === chain.chainId, `the RPC URL is of chain ${chainId}, not ${chain.chainId}`);
  const { address } = walletClient.account;
  const balance = await publicClient.getBalance({ address });
  refuseUnless(
    balance >= leastBalance,
    `${address} has ${formatEther(balance)} of the coin of ${chain.name}, and a run needs ${formatEther(leastBalance)}`,
  );
}

type Place = Pick<SmokeEnvironment, 'region' | 'stackName'>;

/** Names of the parameters that the stack's commands wrote, RPC URLs of every chain among them. */
export async function leftParameters({ region, stackName }: Place): Promise<string[]> {
  const left: string[] = [];
  const asked = { Path: `/${stackName}/`, Recursive: true };
  for await (const { Parameters: page = [] } of paginateGetParametersByPath(
    { client: new SSMClient({ region }) },
    asked,
  ))
    left.push(...page.flatMap(({ Name: name }) => name ?? []));
  return left;
}

interface Leftovers {
  readonly status: string | undefined;
  readonly tables: readonly string[];
  readonly parameters: readonly string[];
}

export async function leftovers({ region, stackName }: Place): Promise<Leftovers> {
  const [status, tables, parameters] = await Promise.all([
    stackStatus({ aws: { region }, stackName }),
    leftTables({ region }, stackName),
    leftParameters({ region, stackName }),
  ]);
  return { status, tables, parameters };
}

/** @throws EnvironmentRefusedError if an earlier run left anything, which a new one would take for its own */
export function refuseLeftovers(
  { stackName }: Pick<Place, 'stackName'>,
  { status, tables, parameters }: Leftovers,
  removal: string,
): void {
  const left = [
    ...(status === undefined ? [] : [`the stack ${stackName}, ${status}`]),
    ...tables,
    ...parameters,
  ];
  refuseUnless(left.length === 0, `an earlier run left ${left.join(', ')}; remove it first: ${removal}`);
}
