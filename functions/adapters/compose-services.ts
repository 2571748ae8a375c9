import { KMSClient } from '@aws-sdk/client-kms';
import { SFNClient } from '@aws-sdk/client-sfn';
import type { Services, Signer } from '../domain/services.ts';
import { awsTimeouts } from './aws/client.ts';
import { functionLog } from './aws/cloudwatch-log.ts';
import { kmsSigners } from './aws/kms-signer.ts';
import { stepFunctions } from './aws/step-functions.ts';
import type { RpcLimits } from './chain/transport.ts';
import { composeChains } from './compose-chains.ts';
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

/**
 * Composes everything the rules work with from the function's environment: the composition root. The settings follow what operators
 * change: `refresh` is called before each invocation, at whose end they are those of its beginning.
 */
export function composeServices(
  variables: Variables,
  limits: RpcLimits,
): Services & { refresh(): Promise<void> } {
  const deployed = settingsFromEnvironment(readEnvironment(variables, ['SETTINGS']));
  const states = new SFNClient(awsTimeouts);
  const log = functionLog();
  const chains = composeChains({ variables, deployed, limits, log });
  return {
    records: composeRecords(variables),
    executions: stepFunctions(states, {
      attest: variables.ATTEST_STATE_MACHINE_ARN ?? '',
      lane: variables.LANE_STATE_MACHINE_ARN ?? '',
    }),
    ...(variables.LANE_DEFINITION && { laneDefinition: variables.LANE_DEFINITION }),
    get settings() {
      return chains.settings;
    },
    log,
    now: () => new Date(),
    chain: (chainId) => chains.chain(chainId),
    signer: composeSigner(variables),
    refresh: () => chains.refresh(),
  };
}

/** Composes the signers: the stack's own key without an id, and by their ids those that a rotation added. */
function composeSigner(variables: Variables): (keyId?: string) => Promise<Signer> {
  const signerOf = kmsSigners(() => new KMSClient(awsTimeouts));
  return async (keyId) => signerOf(keyId ?? readEnvironment(variables, ['SIGNING_KEY_ID']).SIGNING_KEY_ID);
}
