import type { Address } from 'viem';
import { ExpectedError } from '../../../../functions/domain/errors.ts';
import { chainSigners } from '../../../../functions/domain/lane/signers.ts';
import { type ChainSettings, registriesOf, type Settings } from '../../../../functions/domain/settings.ts';
import { isSending } from '../../../../functions/domain/steps/report-funds.ts';
import type { Account } from '../../../account/connect-account.ts';
import type { Deployment } from '../../../deployment/command.ts';
import { operatorErrorLine } from '../../../error-line.ts';
import { RpcUrlsMissingError } from '../../../terminal/errors.ts';
import { askAws, type Finding, notAsked, type Outcome, ok, problem, unanswered, warning } from '../report.ts';
import {
  adminOf,
  checkDelegations,
  checkFinality,
  checkForwarder,
  checkRegistry,
  checkSigner,
} from './on-chain-checks.ts';
import {
  checkBlockTime,
  checkProviders,
  isSeen,
  lookAtProviders,
  type Provider,
  providersOf,
  type Seen,
} from './provider-checks.ts';
import { checkSimulation, randomAddress } from './simulation.ts';

/** A chain that is checked, and what is there to check it with. */
export interface CheckedChain {
  readonly account: Account;
  readonly settings: Settings;
  readonly chain: ChainSettings;
  /** Path of the RPC URLs in SSM. */
  readonly rpcUrlsPath: string;
  /** The deployment; `undefined` before the first one. */
  readonly deployment: Deployment | undefined;
  readonly now: Date;
}

/** Checks a chain: its RPC URLs, its providers and, through one that answers, all else. */
export async function checkChain(checked: CheckedChain): Promise<Finding[]> {
  const { account, chain, rpcUrlsPath, now } = checked;
  const parameter = `${rpcUrlsPath}/${chain.chainId}`;
  let urls: readonly string[] = [];
  const parameterFindings = await askAws(account, ['RPC URLs', 'ssm:GetParameter'], async () => {
    const type = await account.parameterType(parameter);
    if (type !== undefined || account.target.kind === 'local')
      urls = await account.rpcUrls(rpcUrlsPath, chain.chainId).catch(unlessMissing);
    return urls.length === 0 ? missingUrls(parameter, checked.deployment) : storedUrls(parameter, type, urls);
  });
  if (urls.length === 0)
    return [...parameterFindings, { check: 'chain', ...notAsked('there is no readable RPC URL') }];
  const looks = await lookAtProviders(providersOf(urls, chain));
  const found = [...parameterFindings, ...(await checkProviders(chain, parameter, looks, now))];
  const answering = looks.filter(isSeen);
  const [first] = answering;
  if (!first) return [...found, { check: 'contracts and funds', ...notAsked('no provider responds') }];
  const providers = answering.map(({ provider }) => provider);
  return [...found, ...(await checkOnChain(checked, first, providers))];
}

/** A parameter that is there may be empty. */
function unlessMissing(error: unknown): readonly string[] {
  if (error instanceof RpcUrlsMissingError) return [];
  throw error;
}

/** Before the first deployment there is time to set them. */
function missingUrls(parameter: string, deployment: Deployment | undefined): Outcome {
  const todo =
    'Write them to a file, one per line, and run aws ssm put-parameter --type SecureString ' +
    `--name ${parameter} --value file://FILE`;
  return (deployment ? problem : warning)('none is set', todo);
}

function storedUrls(parameter: string, type: string | undefined, { length }: readonly string[]): Outcome {
  const says = `${length} in ${parameter}`;
  if (type !== 'String') return ok(says);
  return warning(
    `${says}, which is not encrypted and exposes the keys in the URLs`,
    'Delete the parameter, and create it again with --type SecureString.',
  );
}

async function checkOnChain(
  checked: CheckedChain,
  look: Seen,
  providers: readonly Provider[],
): Promise<Finding[]> {
  const { account, chain, settings, deployment, now } = checked;
  const { provider } = look;
  const { rpc } = provider;
  const signers = await sendingSigners(checked);
  const addresses = Array.isArray(signers) ? signers : [];
  const ask = async (check: string, answer: () => Promise<Outcome>): Promise<Finding> => {
    const failed = (error: unknown) => {
      const says =
        error instanceof ExpectedError ? operatorErrorLine(error, account.target) : provider.failure(error);
      return unanswered(says, `Run doctor again; if the error stays, check the provider ${provider.name}.`);
    };
    return { check, ...(await answer().catch(failed)) };
  };
  const registries = registriesOf(chain);
  const forwarders = registries.flatMap(({ registryAddress, delegates }) =>
    delegates.flatMap((delegate) => (delegate === 'key' ? [] : [{ registryAddress, delegate }])),
  );
  return Promise.all([
    ask('block time', () => checkBlockTime(chain, look)),
    ask('finality', () => checkFinality(chain, providers, addresses[0] ?? randomAddress(), now)),
    ...registries.map((registry) => ask('registry', () => checkRegistry(rpc, chain, registry))),
    ...forwarders.map(({ registryAddress, delegate }) =>
      ask('forwarder', () => checkForwarder(rpc, delegate, registryAddress, addresses)),
    ),
    ...(Array.isArray(signers) ? [] : [{ check: 'signer', ...signers }]),
    ...addresses.map((signer) => ask('signer', () => checkSigner(rpc, chain, signer))),
    ask('delegations', async () =>
      deployment
        ? checkDelegations(deployment, chain, settings)
        : notAsked('there are no organizations before the first deployment'),
    ),
    ask('commit and reveal', () => simulation(chain, providers, provider, addresses)),
  ]);
}

/** Addresses of the keys that send on a chain, or the outcome that says why they are not known. */
async function sendingSigners({ account, chain, deployment }: CheckedChain): Promise<Address[] | Outcome> {
  if (!deployment)
    return notAsked('the first deployment creates the key', 'After it, fund the key that signer list shows.');
  try {
    const signers = await chainSigners(await deployment.services(), chain.chainId);
    return signers.filter((signer) => isSending(chain, signer)).map(({ address }) => address);
  } catch (error) {
    return unanswered(operatorErrorLine(error, account.target), 'Fix this, then run doctor again.');
  }
}

/** An attestation as the service would send it now: by the newest delegate of the newest registry. */
async function simulation(
  chain: ChainSettings,
  providers: readonly Provider[],
  { rpc }: Provider,
  [signer]: readonly Address[],
): Promise<Outcome> {
  const [address = 'key'] = chain.delegates;
  const sender = signer ?? randomAddress();
  if (address === 'key') return checkSimulation(chain, providers, sender);
  const admin = await adminOf(rpc, address);
  // Where it is none, the line of the forwarder says so; here it is made one, to see what comes then.
  const isOperator =
    signer !== undefined &&
    (await checkForwarder(rpc, address, chain.registryAddress, [signer])).state !== 'problem';
  return checkSimulation(chain, providers, sender, { address, admin, isOperator });
}
