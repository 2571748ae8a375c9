import type { clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import type { StackOutputs } from '../../../local/stack/deploy-service.ts';
import type { StackFile } from '../../../local/stack/stack-file.ts';
import type { SettingsInput } from '../../../local/stack/stack-settings.ts';
import type { RestoredTables } from '../../restore/restore-tables.ts';

/** Configuration of the clients of AWS: an emulator's, or a Region for which the SDK finds credentials. */
export type AwsConfiguration = ReturnType<typeof clientOptions> | { readonly region: string };

/** The deployed service and a publisher whose authority has delegated to it. */
export interface Service
  extends Pick<
    StackFile,
    'apiUrl' | 'apiKey' | 'organizationId' | 'chainId' | 'rpcUrl' | 'registryAddress' | 'revealDelaySeconds'
  > {
  readonly outputs: StackOutputs;
}

/** The tables at one moment, to which they can be brought back. */
export interface Moment {
  /** Makes tables with what was there at the moment. */
  restore(): Promise<RestoredTables>;
}

/** Where the service is tried: an account of AWS, or an emulator. */
export interface Place {
  readonly isAws: boolean;
  /** Whether tables and key outlive the stack, as its retention says. */
  readonly keepsData: boolean;
  /** Description of where and what, for the report. */
  readonly title: string;
  readonly stackName: string;
  readonly aws: AwsConfiguration;
  /** Options with which the operators' command finds the deployment. */
  readonly adminOptions: readonly string[];
  /**
   * Looks, before anything is made or spent, whether a run or a removal can begin.
   * @returns as whom it acts in AWS @throws EnvironmentRefusedError
   */
  check(forWhat: 'run' | 'removal'): Promise<string>;
  /** Why a deployment was not by the roles of `cdk bootstrap`; `undefined` if it was. */
  bootstrapProblem(): Promise<string | undefined>;
  /** Deploys the stack and makes a publisher. @param waitFor says what is waited for */
  deploy(waitFor: (what: string) => void): Promise<Service>;
  /** Deploys over what runs. @param allAtOnce without a canary */
  update(changes: Partial<SettingsInput>, allAtOnce: boolean): Promise<void>;
  /** The settings as they are deployed. */
  settings(): SettingsInput;
  markMoment(): Promise<Moment>;
  /** Destroys what was made, once nothing is being changed. @param waitFor says what is waited for */
  destroy(waitFor: (what: string) => void): Promise<void>;
  /** What stays in the account, a line each with how to remove it; as far as is known, also before it is destroyed. */
  leftBehind(): readonly string[];
  /** Ends what runs on this machine. */
  stop(): Promise<void>;
}
