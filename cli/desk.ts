import type { Address } from 'viem';
import type { Clock } from '../functions/domain/ports.ts';
import type { Records } from '../functions/domain/records.ts';
import type { ChainSettings, Settings } from '../functions/domain/settings.ts';

/** What an operator asks of a chain, at its newest block. @throws ProvidersUnreachableError from every function. */
export interface ChainView {
  /** Whom the authority delegates to; `null` when to no one. @throws RegistryMissingError */
  delegateOf(authorityAddress: Address): Promise<Address | null>;
  balanceWei(address: Address): Promise<bigint>;
}

/** One deployment of the service, as the commands see it. Nothing is asked before a command needs it. */
export interface Desk {
  readonly records: Records;
  readonly now: Clock;
  settings(): Promise<Settings>;
  signerAddress(): Promise<Address>;
  /** @throws RpcUrlsMissingError */
  chain(settings: ChainSettings): Promise<ChainView>;
}
