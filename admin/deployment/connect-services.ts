import type { KMSClient } from '@aws-sdk/client-kms';
import type { SFNClient } from '@aws-sdk/client-sfn';
import { kmsSigners } from '../../functions/adapters/aws/kms-signer.ts';
import { once } from '../../functions/adapters/aws/once.ts';
import { stepFunctions } from '../../functions/adapters/aws/step-functions.ts';
import { connectProviders } from '../../functions/adapters/chain/providers.ts';
import type { RpcLimits } from '../../functions/adapters/chain/transport.ts';
import { viemChain } from '../../functions/adapters/chain/viem-chain.ts';
import { ChainUnservedError } from '../../functions/domain/errors.ts';
import type { Records } from '../../functions/domain/records.ts';
import type { Log, Services } from '../../functions/domain/services.ts';
import type { ChainSettings, Settings } from '../../functions/domain/settings.ts';
import type { Providers } from './connect-chain.ts';
import type { StackOutputs } from './stack-outputs.ts';

/** A person waits for the answer and can run the command again. */
const limits: RpcLimits = {
  timeoutMilliseconds: 12_000,
  totalTimeoutMilliseconds: 6_000,
  retries: 1,
};

/** The answer or the error has everything that an operator needs. */
const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

interface Connections {
  readonly records: Records;
  readonly settings: Settings;
  readonly outputs: StackOutputs;
  readonly kms: KMSClient;
  readonly states: SFNClient;
  providers(settings: ChainSettings): Promise<Providers>;
}

/** Connects the services that the rules of the domain work with, with the operator's own credentials. */
export function connectServices(connections: Connections): Services {
  const { records, settings, outputs, kms, states, providers } = connections;
  const signerOf = kmsSigners(() => kms);
  const chains = new Map(
    settings.chains.map((chain) => {
      const connect = once(async () => connectProviders((await providers(chain)).urls, chain, limits));
      const { timeoutMilliseconds } = limits;
      return [chain.chainId, viemChain({ settings: chain, connect, timeoutMilliseconds })];
    }),
  );
  return {
    ...{ records, settings, log: silentLog, now: () => new Date() },
    executions: stepFunctions(states, {
      attest: outputs.AttestStateMachineArn,
      lane: outputs.LaneStateMachineArn,
    }),
    chain: (chainId) => {
      const chain = chains.get(chainId);
      if (!chain) throw new ChainUnservedError(chainId);
      return chain;
    },
    signer: (keyId) => signerOf(keyId ?? outputs.SigningKeyId),
  };
}
