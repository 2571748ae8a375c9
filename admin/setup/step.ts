import type { Progress } from 'imprimatur-terminal/progress';
import type { Address } from 'viem';
import type { ChainSettings } from '../../functions/domain/settings.ts';
import type { Environment } from '../../lib/environment/environment.ts';
import type { Account } from '../account/connect-account.ts';
import type { Deployment } from '../deployment/connect.ts';
import type { Answers } from './answers.ts';
import type { SetupChain } from './chain.ts';
import type { Changes } from './changes.ts';

/** What the steps share. */
export interface Setup {
  /** Name of the environment. */
  readonly name: string;
  readonly environment: Environment;
  /** Folder of environments. */
  readonly environments: string;
  /** Folder for logs and the API key of this setup. */
  readonly directory: string;
  readonly account: Account;
  readonly answers: Answers;
  readonly changes: Changes;
  readonly progress: Progress;
  /** The deployment; `undefined` before the first one succeeds. */
  deployment(): Promise<Deployment | undefined>;
  chain(settings: ChainSettings): Promise<SetupChain>;
}

/** What a step finds when it looks. Looking is read-only. */
export type Finding =
  | { readonly state: 'done'; readonly text: string }
  /** Setup can do it. `act` may die at any point: the next run looks again, and does what is still missing. */
  | { readonly state: 'to do'; readonly text: string; readonly cost?: string; act(): Promise<void> }
  /** Setup cannot look before an earlier step is done. */
  | { readonly state: 'later'; readonly text: string; readonly cost: string }
  /** Somebody else has to act. */
  | { readonly state: 'waiting'; readonly text: string; readonly instructions: string };

export interface Step {
  readonly name: string;
  /** Whether every earlier step has to be done before this one changes anything. */
  readonly needsAll?: true;
  look(setup: Setup): Promise<Finding>;
}

/** The newest forwarder among the delegates; `undefined`: authorities delegate to the signing key itself. */
export const newestForwarder = ({ delegates }: ChainSettings): Address | undefined =>
  delegates.filter((delegate) => delegate !== 'key')[0];

export const done = (text: string): Finding => ({ state: 'done', text });

export const later = (text: string, cost = ''): Finding => ({ state: 'later', text, cost });
