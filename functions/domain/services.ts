import type { Address, Hash, Hex } from 'viem';
import type { Chain, UnsignedTx } from './chain.ts';
import type { LogMessage } from './log-lines.ts';
import type { Records } from './records.ts';
import type { Settings } from './settings.ts';

export interface Signer {
  readonly address: Address;
  /** Signs a transaction. @throws SignerMismatchError if the signature does not recover to the address */
  sign(transaction: UnsignedTx): Promise<{ signature: Hex; hash: Hash }>;
}

export interface Executions {
  /** `closed`: an execution with this name has ended, so the name cannot be used again. */
  startAttest(input: { organizationId: string; id: string; run: number }): Promise<'running' | 'closed'>;
  startLane(input: { lane: string; run: number }): Promise<'running' | 'closed'>;
  /** Answers a waiting task. A stale token is not an error: the state waits with a newer one, or has ended. */
  succeed(taskToken: string, output: { revealAt?: string }): Promise<void>;
  /** Fails a waiting task with only the error's name, which routes the execution. Its history shows nothing else. */
  fail(taskToken: string, errorName: string): Promise<void>;
}

/** Structured log. It must not contain content, salts, keys or RPC URLs. */
export interface Log {
  info(message: LogMessage, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: LogMessage, fields?: Readonly<Record<string, unknown>>): void;
  error(message: LogMessage, error: unknown, fields?: Readonly<Record<string, unknown>>): void;
}

export type Clock = () => Date;

export type RandomBytes = (size: number) => Uint8Array;

export interface ReadServices {
  readonly records: Records;
  readonly log: Log;
  /** Returns the chain with that ID. @throws ChainUnservedError if the settings do not name it */
  chain(chainId: number): Chain;
}

/** Ports and settings of the domain, composed on cold start and faked in tests. */
export interface Services extends ReadServices {
  readonly executions: Executions;
  readonly settings: Settings;
  /** Fingerprint of the lane's state machine definition in this version of the service; absent if not needed. */
  readonly laneDefinition?: string;
  readonly now: Clock;
  /** Source of randomness in tests that replay a run; by default Node's. */
  readonly random?: RandomBytes;
  /** Returns the signer of the KMS key with that ID; without an ID, of the stack's own key. */
  signer(keyId?: string): Promise<Signer>;
}
