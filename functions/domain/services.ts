import type { Address, Hash, Hex } from 'viem';
import type { Chain, Unsigned } from './chain.ts';
import type { LogMessage } from './log-lines.ts';
import type { Records } from './records.ts';
import type { Settings } from './settings.ts';

export interface Signer {
  readonly address: Address;
  /** Signs a transaction. @throws SignerMismatchError when the signature does not recover to the address */
  sign(transaction: Unsigned): Promise<{ signature: Hex; hash: Hash }>;
}

/** Executions of the state machines: starts them, and answers those that wait. */
export interface Executions {
  /** Starts the attestation's execution; `closed` when one of this name has ended: its name is burnt. */
  startAttest(input: { organizationId: string; id: string; run: number }): Promise<'running' | 'closed'>;
  startLane(input: { lane: string; run: number }): Promise<'running' | 'closed'>;
  /** Answers a waiting task. A stale token is no error: the state waits with a newer one. */
  succeed(taskToken: string, output: { revealAt?: string }): Promise<void>;
  /** Fails a waiting task with the error's name alone: it routes the execution, and its history shows nothing else. */
  fail(taskToken: string, errorName: string): Promise<void>;
}

/** Structured log. It is never given content, salts, keys or RPC URLs. */
export interface Log {
  info(message: LogMessage, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: LogMessage, fields?: Readonly<Record<string, unknown>>): void;
  error(message: LogMessage, error: unknown, fields?: Readonly<Record<string, unknown>>): void;
}

export type Clock = () => Date;

export type RandomBytes = (size: number) => Uint8Array;

/** Ports of what only reads. */
export interface ReadServices {
  readonly records: Records;
  readonly log: Log;
  /** Returns the chain with that id. @throws ChainUnservedError when the settings do not name the chain */
  chain(chainId: number): Chain;
}

/** Ports and settings that the rules work with; composed once on cold start, faked in tests. */
export interface Services extends ReadServices {
  readonly executions: Executions;
  readonly settings: Settings;
  /** Fingerprint of the lane machine's definition, as this version of the service has it; absent where it does not matter. */
  readonly laneDefinition?: string;
  readonly now: Clock;
  /** Given so that a run can be replayed; without it, Node's, which cannot be guessed. */
  readonly random?: RandomBytes;
  /** Returns the signer of the KMS key with that id; without an id, the one of the stack's own key. */
  signer(keyId?: string): Promise<Signer>;
}
