import type { Chain, Clock, Executions, Log, RandomBytes, Signer } from './ports.ts';
import type { Records } from './records.ts';
import type { Settings } from './settings.ts';

/** What the rules are given to work with; built once on cold start, faked in tests. */
export interface Services {
  readonly records: Records;
  readonly executions: Executions;
  readonly settings: Settings;
  readonly log: Log;
  readonly now: Clock;
  /** Where ids and salts come from, so that a run can be replayed; without it, from Node, as nobody can guess them. */
  readonly random?: RandomBytes;
  /** @throws ChainUnservedError when the settings do not name the chain. */
  chain(chainId: number): Chain;
  /** By the id of its KMS key; without one, the stack's own. */
  signer(keyId?: string): Promise<Signer>;
}
