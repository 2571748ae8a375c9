import type { clientOptions } from '../../local/emulator/aws-endpoint.ts';
import type { StackOutputs } from '../../local/stack/deploy-service.ts';
import type { StackFile } from '../../local/stack/stack-file.ts';
import type { SettingsInput } from '../../local/stack/stack-settings.ts';

type ConnectionField = 'apiUrl' | 'apiKey' | 'organizationId' | 'chainId' | 'rpcUrl' | 'registryAddress';

/** The deployed service and a publisher whose authority has delegated to it. */
export interface Service extends Pick<StackFile, ConnectionField | 'signerAddress' | 'revealDelaySeconds'> {
  readonly outputs: StackOutputs;
}

/** A stack and the SDK settings that reach it: a Region with the default credentials, or an emulator. */
export interface AwsStack {
  readonly stackName: string;
  readonly aws: ReturnType<typeof clientOptions> | { readonly region: string };
}

/** An AWS account or an emulator, and the stack that a rehearsal deploys there. */
export interface Target extends AwsStack {
  readonly isAws: boolean;
  /** Description of the account, chain and stack, for the report. */
  readonly title: string;
  /** Folder of the repository whose version is deployed. */
  readonly repository: string;
  /** Options with which the operators' command finds the deployment. */
  readonly adminOptions: readonly string[];
  deploy(): Promise<Service>;
  /** Updates the deployment. @param allAtOnce without a canary */
  update(changes: Partial<SettingsInput>, allAtOnce: boolean): Promise<void>;
  settings(): SettingsInput;
  /**
   * Backs up the tables, or notes the time.
   * @returns a function that restores them, and returns the settings for the restored tables
   */
  prepareRestore(): Promise<() => Promise<SettingsInput['existing']>>;
  /** Destroys the stack, in AWS after CloudFormation has finished changing it. */
  destroy(): Promise<void>;
  /** Resources that remain in the account, and the command that removes them. */
  leftBehind(): readonly string[];
  stop(): Promise<void>;
}
