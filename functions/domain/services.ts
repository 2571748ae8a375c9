import type { Address, Hash, Hex } from 'viem';
import type { Chain, Unsigned } from './chain.ts';
import type { Records } from './records.ts';
import type { Settings } from './settings.ts';

export interface Signer {
  readonly address: Address;
  /** @throws SignerMismatchError when the signature does not recover to the address. */
  sign(transaction: Unsigned): Promise<{ signature: Hex; hash: Hash }>;
}

/** Starts executions and answers the ones that wait. */
export interface Executions {
  /** Starts the attestation's execution; `closed` when its name is burnt. */
  startAttest(input: { organizationId: string; id: string; run: number }): Promise<'running' | 'closed'>;
  startLane(input: { lane: string; run: number }): Promise<'running' | 'closed'>;
  /** A stale token is no error: whoever waits now has a newer one. */
  succeed(taskToken: string, output: { revealAt?: string }): Promise<void>;
  /** The error's name alone: it routes the execution, and is all that its history shows. */
  fail(taskToken: string, errorName: string): Promise<void>;
}

/** Structured, and never given content, salts, keys or RPC URLs. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, error: unknown, fields?: Readonly<Record<string, unknown>>): void;
}

export type Clock = () => Date;

/** So many bytes that nobody can guess. */
export type RandomBytes = (size: number) => Uint8Array;

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
