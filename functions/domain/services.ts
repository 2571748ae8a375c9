import type { Chain, Clock, Executions, Log, Signer } from './ports.ts';
import type { Records } from './records.ts';
import type { Settings } from './settings.ts';

/** What the rules are given to work with; built once on cold start, faked in tests. */
export interface Services {
  readonly records: Records;
  readonly executions: Executions;
  readonly settings: Settings;
  readonly log: Log;
  readonly now: Clock;
  /** @throws ChainUnservedError when the settings do not name the chain. */
  chain(chainId: number): Chain;
  signer(): Promise<Signer>;
}
