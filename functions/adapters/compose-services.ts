import { KMSClient } from '@aws-sdk/client-kms';
import { SFNClient } from '@aws-sdk/client-sfn';
import type { ReadServices, Services, Signer } from '../domain/services.ts';
import { awsTimeouts } from './aws/client.ts';
import { functionLog } from './aws/cloudwatch-log.ts';
import { kmsSigners } from './aws/kms-signer.ts';
import { stepFunctions } from './aws/step-functions.ts';
import type { RpcLimits } from './chain/transport.ts';
import { composeChains } from './compose-chains.ts';
import { composeRecords } from './compose-records.ts';
import { readEnvironment, settingsFromEnvironment } from './environment.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Limits of RPC requests while a publisher waits: one attempt per provider, two seconds in all. */
export const requestLimits: RpcLimits = {
  timeoutMilliseconds: 2_000,
  roundTimeoutMilliseconds: 2_000,
  retries: 0,
};

/** Limits of RPC requests in a step, where no publisher waits. */
export const workflowLimits: RpcLimits = {
  timeoutMilliseconds: 25_000,
  roundTimeoutMilliseconds: 10_000,
  retries: 2,
};

/** Applies setting changes before each invocation, which uses the same settings to its end. */
interface Refreshable {
  refresh(): Promise<void>;
}

/** Composes the services of read-only functions, whose bundle has no client of KMS or Step Functions. */
export function composeReadServices(
  variables: Variables,
  limits: RpcLimits,
): ReadServices & Pick<Services, 'settings'> & Refreshable {
  const deployed = settingsFromEnvironment(readEnvironment(variables, ['SETTINGS']));
  const log = functionLog();
  const chains = composeChains({ variables, deployed, limits, log });
  return {
    records: composeRecords(variables),
    log,
    get settings() {
      return chains.settings;
    },
    chain: (chainId) => chains.chain(chainId),
    refresh: () => chains.refresh(),
  };
}

export function composeServices(variables: Variables, limits: RpcLimits): Services & Refreshable {
  const reads = composeReadServices(variables, limits);
  const states = new SFNClient(awsTimeouts);
  return {
    ...reads,
    executions: stepFunctions(states, {
      attest: variables.ATTEST_STATE_MACHINE_ARN ?? '',
      lane: variables.LANE_STATE_MACHINE_ARN ?? '',
    }),
    ...(variables.LANE_DEFINITION && { laneDefinition: variables.LANE_DEFINITION }),
    get settings() {
      return reads.settings;
    },
    now: () => new Date(),
    signer: composeSigner(variables),
  };
}

/** Composes the signers: without an id the stack's own key, and by id those added by a rotation. */
function composeSigner(variables: Variables): (keyId?: string) => Promise<Signer> {
  const signerOf = kmsSigners(() => new KMSClient(awsTimeouts));
  return async (keyId) => signerOf(keyId ?? readEnvironment(variables, ['SIGNING_KEY_ID']).SIGNING_KEY_ID);
}
