import type { Address } from 'viem';
import { ExpectedError } from '../../../../functions/domain/errors.ts';
import { chainSigners } from '../../../../functions/domain/lane/signers.ts';
import { type ChainSettings, registriesOf, type Settings } from '../../../../functions/domain/settings.ts';
import { isSending } from '../../../../functions/domain/steps/report-funds.ts';
import type { Account } from '../../../account/connect-account.ts';
import type { Deployment } from '../../../deployment/command.ts';
import type { Providers } from '../../../deployment/connect-chain.ts';
import { operatorErrorLine } from '../../../error-line.ts';
import { RpcUrlsMissingError, storeUrlsCommand } from '../../../terminal/errors.ts';
import {
  checkAws,
  type Finding,
  notChecked,
  type Outcome,
  ok,
  problem,
  unanswered,
  warning,
} from '../report.ts';
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
  isLive,
  type Live,
  type Provider,
  providersOf,
  readHeads,
} from './provider-checks.ts';
import { checkSimulation, randomAddress } from './simulation.ts';

export interface CheckedChain {
  readonly account: Account;
  readonly settings: Settings;
  readonly chain: ChainSettings;
  readonly rpcUrlsPath: string;
  readonly deployment: Deployment | undefined;
  readonly now: Date;
}

/** Checks a chain's RPC URLs, its providers and, through those that respond, everything else. */
export async function checkChain(checked: CheckedChain): Promise<Finding[]> {
  const { account, chain, rpcUrlsPath, now } = checked;
  const parameter = `${rpcUrlsPath}/${chain.chainId}`;
  let urls: readonly string[] = [];
  const parameterFindings = await checkAws(account, ['RPC URLs', 'ssm:GetParameter'], async () => {
    const type = await account.parameterType(parameter);
    if (type !== undefined || account.target.kind === 'local')
      ({ urls } = await account.providers(rpcUrlsPath, chain.chainId).catch(unlessMissing));
    return urls.length === 0 ? missingUrls(parameter, checked.deployment) : storedUrls(parameter, type, urls);
  });
  if (urls.length === 0)
    return [...parameterFindings, { check: 'chain', ...notChecked('there is no readable RPC URL') }];
  const answers = await readHeads(providersOf(urls, chain));
  const findings = [...parameterFindings, ...(await checkProviders(chain, parameter, answers, now))];
  const liveProviders = answers.filter(isLive);
  const [first] = liveProviders;
  if (!first) return [...findings, { check: 'contracts and funds', ...notChecked('no provider responds') }];
  const providers = liveProviders.map(({ provider }) => provider);
  return [...findings, ...(await checkOnChain(checked, first, providers))];
}

/** The parameter may be empty. */
function unlessMissing(error: unknown): Pick<Providers, 'urls'> {
  if (error instanceof RpcUrlsMissingError) return { urls: [] };
  throw error;
}

/** Missing URLs are a problem only after the first deployment. */
function missingUrls(parameter: string, deployment: Deployment | undefined): Outcome {
  const todo = `Write them to a file, one per line, and run ${storeUrlsCommand(parameter)}`;
  return (deployment ? problem : warning)('none is set', todo);
}

function storedUrls(parameter: string, type: string | undefined, { length }: readonly string[]): Outcome {
  const message = `${length} in ${parameter}`;
  if (type !== 'String') return ok(message);
  return warning(
    `${message}, which is not encrypted and exposes the keys in the URLs`,
    'Delete the parameter, and create it again with --type SecureString.',
  );
}

async function checkOnChain(
  checked: CheckedChain,
  live: Live,
  providers: readonly Provider[],
): Promise<Finding[]> {
  const { account, chain, settings, deployment, now } = checked;
  const { provider } = live;
  const { rpc } = provider;
  const signers = await sendingSigners(checked);
  const addresses = Array.isArray(signers) ? signers : [];
  const run = async (check: string, answer: () => Promise<Outcome>): Promise<Finding> => {
    const failed = (error: unknown) => {
      const message =
        error instanceof ExpectedError ? operatorErrorLine(error, account.target) : provider.failure(error);
      return unanswered(
        message,
        `Run doctor again; if the error stays, check the provider ${provider.name}.`,
      );
    };
    return { check, ...(await answer().catch(failed)) };
  };
  const registries = registriesOf(chain);
  const forwarders = registries.flatMap(({ registryAddress, delegates }) =>
    delegates.flatMap((delegate) => (delegate === 'key' ? [] : [{ registryAddress, delegate }])),
  );
  return Promise.all([
    run('block time', () => checkBlockTime(chain, live)),
    run('finality', () => checkFinality(chain, providers, addresses[0] ?? randomAddress(), now)),
    ...registries.map((registry) => run('registry', () => checkRegistry(rpc, chain, registry))),
    ...forwarders.map(({ registryAddress, delegate }) =>
      run('forwarder', () => checkForwarder(rpc, delegate, registryAddress, addresses)),
    ),
    ...(Array.isArray(signers) ? [] : [{ check: 'signer', ...signers }]),
    ...addresses.map((signer) => run('signer', () => checkSigner(rpc, chain, signer))),
    run('delegations', async () =>
      deployment
        ? checkDelegations(deployment, chain, settings)
        : notChecked('there are no organizations before the first deployment'),
    ),
    run('commit and reveal', () => simulate(chain, providers, provider, addresses)),
  ]);
}

/** Addresses of the keys that send on a chain, or an outcome with the reason why they are unknown. */
async function sendingSigners({ account, chain, deployment }: CheckedChain): Promise<Address[] | Outcome> {
  if (!deployment)
    return notChecked(
      'the first deployment creates the key',
      'After it, fund the key that signer list shows.',
    );
  try {
    const signers = await chainSigners(await deployment.services(), chain.chainId);
    return signers.filter((signer) => isSending(chain, signer)).map(({ address }) => address);
  } catch (error) {
    return unanswered(operatorErrorLine(error, account.target), 'Fix this, then run doctor again.');
  }
}

async function simulate(
  chain: ChainSettings,
  providers: readonly Provider[],
  { rpc }: Provider,
  [signer]: readonly Address[],
): Promise<Outcome> {
  const [address = 'key'] = chain.delegates;
  const sender = signer ?? randomAddress();
  if (address === 'key') return checkSimulation(chain, providers, sender);
  const admin = await adminOf(rpc, address);
  // The simulation adds a missing operator, which the check of the forwarder reports.
  const isOperator =
    signer !== undefined &&
    (await checkForwarder(rpc, address, chain.registryAddress, [signer])).state !== 'problem';
  return checkSimulation(chain, providers, sender, { address, admin, isOperator });
}
