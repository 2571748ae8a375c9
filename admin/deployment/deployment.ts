import type { Address } from 'viem';
import type { Records } from '../../functions/domain/records.ts';
import type { Clock, Services } from '../../functions/domain/services.ts';
import type { ChainSettings, Settings } from '../../functions/domain/settings.ts';
import type { SettingsChanges } from '../../functions/domain/settings-changes.ts';

/** A chain at its newest block, as an operator reads it. Every function throws ProvidersUnreachableError. */
export interface ChainView {
  /** Delegate of the authority; `null` when there is none. @throws RegistryMissingError */
  delegateOf(registryAddress: Address, authorityAddress: Address): Promise<Address | null>;
  /**
   * Nonce of the authority's next signed delegation; `null` at a registry that takes none.
   * @throws RegistryMissingError
   */
  nonceOf(registryAddress: Address, authorityAddress: Address): Promise<number | null>;
  balanceWei(address: Address): Promise<bigint>;
  transactionCounts(address: Address): Promise<TransactionCounts>;
}

/** Transactions of an account. */
export interface TransactionCounts {
  /** Those in blocks: the first nonce that is not used on the chain. */
  readonly mined: number;
  /** With those that the provider knows and that are in no block yet: the first nonce that is not taken. */
  readonly known: number;
}

/** A KMS key that can sign for the service. */
export interface SignerKey {
  readonly keyId: string;
  readonly address: Address;
}

/** The KMS keys of a deployment, besides the stack's own, by alias. */
export interface SignerKeys {
  /**
   * Finds the key of an alias: `unusable` when it is disabled or about to be deleted, `undefined` when there is none.
   */
  find(alias: string): Promise<SignerKey | 'unusable' | undefined>;
  create(alias: string): Promise<SignerKey>;
}

/** Settings of a deployment that operators change without deploying again. */
export interface ChangeableSettings {
  /** Settings as they were deployed. */
  deployed(): Promise<Settings>;
  /** What operators changed of them. @throws SettingsChangesInvalidError */
  changes(): Promise<{ readonly version: number; readonly changes: SettingsChanges }>;
  /** Replaces the changes. @returns their version, which is one more each time */
  writeChanges(changes: SettingsChanges): Promise<number>;
  /** Replaces the RPC URLs of a chain, encrypted with the same key as before. */
  writeRpcUrls(chainId: number, urls: readonly string[]): Promise<void>;
}

/** A deployment of the service, on which the commands act. Nothing is read before a command needs it. */
export interface Deployment {
  readonly stackName: string;
  readonly records: Records;
  readonly now: Clock;
  /** Person or role that runs the command, for the audit trail. */
  readonly operator: string;
  readonly signerKeys: SignerKeys;
  readonly changeable: ChangeableSettings;
  /** Settings in force. */
  settings(): Promise<Settings>;
  signerAddress(): Promise<Address>;
  /** @throws RpcUrlsMissingError */
  chain(settings: ChainSettings): Promise<ChainView>;
  /** The services that the rules of the domain work with, as a function of the deployment has them. */
  services(): Promise<Services>;
  wait(seconds: number): Promise<void>;
}
