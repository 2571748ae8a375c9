import type { Address } from 'viem';
import type { Records } from '../../functions/domain/records.ts';
import type { Clock, Services } from '../../functions/domain/services.ts';
import type { ChainSettings, Settings } from '../../functions/domain/settings.ts';

/** What an operator asks of a chain, at its newest block. @throws ProvidersUnreachableError from every function. */
export interface ChainView {
  /** Whom the authority delegates to; `null` when to no one. @throws RegistryMissingError */
  delegateOf(authorityAddress: Address): Promise<Address | null>;
  balanceWei(address: Address): Promise<bigint>;
}

/** A KMS key that can sign for the service. */
export interface SignerKey {
  readonly keyId: string;
  readonly address: Address;
}

/** The KMS keys of a deployment beside the stack's own, by alias. */
export interface SignerKeys {
  /** `unusable` when the key is disabled or about to be deleted; nothing when no key has the alias. */
  find(alias: string): Promise<SignerKey | 'unusable' | undefined>;
  create(alias: string): Promise<SignerKey>;
}

/** One deployment of the service, as the commands see it. Nothing is asked before a command needs it. */
export interface Deployment {
  readonly stackName: string;
  readonly records: Records;
  readonly now: Clock;
  /** Who runs the command, for the audit trail. */
  readonly operator: string;
  readonly signerKeys: SignerKeys;
  settings(): Promise<Settings>;
  signerAddress(): Promise<Address>;
  /** @throws RpcUrlsMissingError */
  chain(settings: ChainSettings): Promise<ChainView>;
  /** What the rules work with, as a function of the deployment would be given it. */
  services(): Promise<Services>;
  wait(seconds: number): Promise<void>;
}
