import type { ConfirmedAttestation, ImprimaturClient } from 'imprimatur-client';
import type { AdminAnswer } from './place/ask-admin.ts';
import type { Place, Service } from './place/place.ts';

/** What happened so far, and what the steps say of it. */
export interface Scene {
  readonly place: Place;
  readonly startedAt: Date;
  /** Text that every posted article has, by which it is found where it must not be. */
  readonly marker: string;
  /** Every attestation that was accepted, with its content. */
  readonly posted: { readonly id: string; readonly content: string }[];
  /** @throws SmokeFailedError before it is deployed */
  deploy(): Promise<Service>;
  service(): Service;
  client(): ImprimaturClient;
  /** Posts a new article. @returns its attestation's id */
  post(what: string): Promise<string>;
  confirmed(id: string): Promise<ConfirmedAttestation>;
  /** Runs an operators' command. @returns what it prints as JSON. @throws SmokeFailedError unless it exits with 0 */
  admin(...argv: string[]): Promise<Record<string, unknown>>;
  /** Runs an operators' command, whatever comes of it. */
  askAdmin(...argv: string[]): Promise<AdminAnswer>;
  /** Says what is waited for. */
  waitFor(what: string): void;
  proven(what: string): void;
  notProven(what: string, why: string): void;
  /** Has something undone at the end of the step, also when it fails or is stopped. */
  atEnd(undo: () => Promise<unknown>): void;
}

export type Step = (scene: Scene) => Promise<void>;

/** Why what AWS alone does is not proven on an emulator. */
export const onlyAws = {
  bootstrap: 'an emulator has no roles of cdk bootstrap',
  canary: 'an emulator has no CodeDeploy',
  stage: 'an emulator does not throttle a stage',
  concurrency: 'an emulator keeps reserved concurrency and does not apply it',
  redrive: 'an emulator has no RedriveExecution',
  recovery: 'an emulator copies the present, so backups stood in',
  accessLog: 'an emulator writes no access log',
  metrics: 'an emulator makes no metrics of log lines',
  alarms: 'an emulator evaluates no alarm on them',
  versions: 'an emulator has no versions of state machines',
  residue: 'an emulator deletes without waiting',
} as const;
