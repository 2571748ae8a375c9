import type { Deployment } from '../deployment/deployment.ts';
import type { Target } from '../deployment/target.ts';

/** A CloudFormation stack. */
export interface StackView {
  readonly status: string;
  readonly changedAt: Date | undefined;
  /** Whether it refuses to be deleted, as an environment with `deletionProtection` has it. */
  readonly isProtected: boolean;
  readonly outputs: Readonly<Record<string, string | undefined>>;
}

/** A quota of the account, as Service Quotas shows it. */
export interface Quota {
  readonly name: string;
  readonly code: string;
  readonly value: number;
}

export interface TableView {
  readonly status: string;
  /** States of its indexes by name. */
  readonly indexes: Readonly<Record<string, string>>;
  readonly hasPointInTimeRecovery: boolean;
  /** Whether it refuses to be deleted. */
  readonly isProtected: boolean;
  /** Whether it has a stream of its writes, with images of before and after. */
  readonly hasStream: boolean;
  /** Attribute by which items expire; `undefined` where none does. */
  readonly timeToLiveAttribute: string | undefined;
}

/** Running executions of a state machine, as far as one answer of AWS shows them. */
export interface RunningExecutions {
  /** Version that new executions are started with. */
  readonly currentVersion: string;
  /** Number of running executions by version. */
  readonly countByVersion: ReadonlyMap<string, number>;
}

/** An AWS account with the stack of a deployment, or without it yet. It is only read; every function throws AWS's errors. */
export interface Account {
  readonly target: Target;
  readonly stackName: string;
  /** ARN of the caller. */
  identity(): Promise<string>;
  /** Region that clients ask. */
  region(): Promise<string>;
  /** The stack; `undefined` before the first deployment. */
  stack(): Promise<StackView | undefined>;
  /** Physical names of the stack's log groups by logical id. */
  logGroups(): Promise<ReadonlyMap<string, string>>;
  /** Version of CDK's bootstrap stack; `undefined` without one. */
  bootstrapVersion(): Promise<string | undefined>;
  /** ARN of the role with which API Gateway writes logs; `undefined` without one. */
  loggingRole(): Promise<string | undefined>;
  /** Number of functions that may run at once. */
  concurrentExecutions(): Promise<number>;
  quotas(serviceCode: string): Promise<readonly Quota[]>;
  /** Kind of an SSM parameter; `undefined` without one. */
  parameterType(name: string): Promise<string | undefined>;
  /** RPC URLs of a chain, which are secrets. @throws RpcUrlsMissingError */
  rpcUrls(path: string, chainId: number): Promise<readonly string[]>;
  /** Protocols of the confirmed subscriptions of a topic, and the number of those that wait to be confirmed. */
  subscriptions(
    topicArn: string,
  ): Promise<{ readonly confirmed: readonly string[]; readonly pending: number }>;
  table(name: string): Promise<TableView>;
  /** State of a KMS key, such as `Enabled` or `PendingDeletion`. */
  keyState(keyId: string): Promise<string>;
  /** Time of the newest log line with that message since a time; `undefined` without one. */
  lastLine(logGroup: string, message: string, since: Date): Promise<Date | undefined>;
  /** @param aliasArn of a state machine's alias */
  runningExecutions(aliasArn: string): Promise<RunningExecutions>;
  /** @throws StackMissingError, StackOutdatedError */
  deployment(): Promise<Deployment>;
}
