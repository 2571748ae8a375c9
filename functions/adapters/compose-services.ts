import { KMSClient } from '@aws-sdk/client-kms';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SSMClient } from '@aws-sdk/client-ssm';
import type { Chain } from '../domain/chain.ts';
import { ChainUnservedError } from '../domain/errors.ts';
import type { Services, Signer } from '../domain/services.ts';
import type { ChainSettings } from '../domain/settings.ts';
import { awsTimeouts } from './aws/client.ts';
import { functionLog } from './aws/cloudwatch-log.ts';
import { kmsSigners } from './aws/kms-signer.ts';
import { once } from './aws/once.ts';
import { readRpcUrls } from './aws/ssm-rpc-urls.ts';
import { stepFunctions } from './aws/step-functions.ts';
import { connectProviders } from './chain/providers.ts';
import type { RpcLimits } from './chain/transport.ts';
import { viemChain } from './chain/viem-chain.ts';
import { composeRecords } from './compose-records.ts';
import { readEnvironment, settingsFromEnvironment } from './environment.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Limits of RPC requests while a publisher waits for the answer: one try of each provider, two seconds in all. */
export const requestLimits: RpcLimits = {
  timeoutMilliseconds: 2_000,
  totalTimeoutMilliseconds: 2_000,
  retries: 0,
};

/** Limits of RPC requests in a step, for which no publisher waits. */
export const workflowLimits: RpcLimits = {
  timeoutMilliseconds: 25_000,
  totalTimeoutMilliseconds: 10_000,
  retries: 2,
};

/** Composes everything the rules work with from the function's environment: the composition root. */
export function composeServices(variables: Variables, limits: RpcLimits): Services {
  const settings = settingsFromEnvironment(readEnvironment(variables, ['SETTINGS']));
  const states = new SFNClient(awsTimeouts);
  return {
    records: composeRecords(variables),
    executions: stepFunctions(states, {
      attest: variables.ATTEST_STATE_MACHINE_ARN ?? '',
      lane: variables.LANE_STATE_MACHINE_ARN ?? '',
    }),
    settings,
    log: functionLog(),
    now: () => new Date(),
    chain: composeChains(variables, settings.chains, limits),
    signer: composeSigner(variables),
  };
}

/** Composes the signers: the stack's own key without an id, and by their ids those that a rotation added. */
function composeSigner(variables: Variables): (keyId?: string) => Promise<Signer> {
  const signerOf = kmsSigners(() => new KMSClient(awsTimeouts));
  return async (keyId) => signerOf(keyId ?? readEnvironment(variables, ['SIGNING_KEY_ID']).SIGNING_KEY_ID);
}

function composeChains(variables: Variables, chains: readonly ChainSettings[], limits: RpcLimits) {
  const ssm = new SSMClient(awsTimeouts);
  const composed = new Map<number, Chain>();
  for (const settings of chains) {
    const { chainId } = settings;
    const connect = once(async () => {
      const { RPC_URLS_PATH: path } = readEnvironment(variables, ['RPC_URLS_PATH']);
      const urls = await readRpcUrls(ssm, path, chainId);
      return connectProviders(urls, settings, limits);
    });
    composed.set(chainId, viemChain({ settings, connect, timeoutMilliseconds: limits.timeoutMilliseconds }));
  }
  return (chainId: number): Chain => {
    const chain = composed.get(chainId);
    if (!chain) throw new ChainUnservedError(chainId);
    return chain;
  };
}
