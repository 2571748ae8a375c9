import {
  CliCredentialsStackSynthesizer,
  DefaultStackSynthesizer,
  type IStackSynthesizer,
  type StackProps,
} from 'aws-cdk-lib';
import { type Emulator, emulatorAccount, emulators } from './emulators.ts';
import { type Environment, emulatorHosting, environmentDigest } from './environment/environment.ts';
import { onlyEnvironment, readEnvironment, readSettings } from './environment/read-environment.ts';
import { FileInvalidError } from './environment/read-json.ts';
import type { ImprimaturStackProps } from './imprimatur-stack.ts';

/** Values of the CDK's `-c NAME=VALUE`. */
export type Context = (name: string) => string | undefined;

const description = 'Imprimatur: publish a text, prove on an EVM chain who published it and when';

/**
 * Makes the properties of the stack of an environment (`env`, or the only one), or, on an emulator, of a file of settings (`settings`, `stackName`).
 * @param region Region of the command's credentials, which an emulator's stack is in
 * @throws FileInvalidError with every problem
 */
export function stackOf(context: Context, region?: string): ImprimaturStackProps & { stackName: string } {
  const emulator = emulatorOf(context);
  const name = context('env') ?? (emulator ? undefined : onlyEnvironment());
  if (name === undefined) return emulatedStack(context, emulator, region);
  // A stack for an emulator lacks protections, such as the conditions of the key policy.
  if (emulator)
    throw new FileInvalidError([
      `-c emulator=${emulator}: an emulator takes -c settings=FILE, and no environment`,
    ]);
  const redundant = ['settings', 'stackName'].filter((other) => context(other) !== undefined);
  if (redundant.length > 0)
    throw new FileInvalidError(redundant.map((other) => `-c ${other}: environments/${name}.json has it`));
  const allAtOnce = String(context('allAtOnce')) === 'true';
  return { ...environmentStack(readEnvironment(name)), ...deploymentOf(undefined), allAtOnce };
}

/** Reads `-c emulator=NAME`. @throws FileInvalidError for an unknown one */
function emulatorOf(context: Context): Emulator | undefined {
  const name = context('emulator');
  const emulator = emulators.find((known) => known === name);
  if (name !== undefined && !emulator)
    throw new FileInvalidError([`-c emulator=${name}: must be ${emulators.join(' or ')}`]);
  return emulator;
}

/** Pipelines deploy with the roles of `cdk bootstrap`, which emulators do not have. */
function deploymentOf(emulator: Emulator | undefined) {
  const synthesizer = emulator ? new CliCredentialsStackSynthesizer() : new DefaultStackSynthesizer();
  return { ...(emulator && { emulator }), synthesizer: synthesizer as IStackSynthesizer, description };
}

export function environmentStack(environment: Environment) {
  const { account, region, stackName, tags, settings, ...hosting } = environment;
  return {
    ...{ stackName, digest: environmentDigest(environment) },
    env: { account, region },
    tags,
    terminationProtection: hosting.deletionProtection,
    hosting,
    settings,
  } satisfies StackProps & Partial<ImprimaturStackProps>;
}

function emulatedStack(context: Context, emulator: Emulator | undefined, region: string | undefined) {
  const settings = context('settings');
  if (settings === undefined) throw new FileInvalidError([`-c emulator=${emulator} needs -c settings=FILE`]);
  // Tests use the roles.
  const principals = [`arn:aws:iam::${emulatorAccount}:root`];
  const access = { operators: principals, custodians: principals, deployers: principals };
  return {
    stackName: context('stackName') ?? 'Imprimatur',
    env: { account: emulatorAccount, ...(region && { region }) },
    hosting: { ...emulatorHosting, access },
    settings: readSettings(settings),
    ...deploymentOf(emulator),
  };
}
