import { App, CliCredentialsStackSynthesizer, type IStackSynthesizer } from 'aws-cdk-lib';
import { ImprimaturStack } from '../lib/imprimatur-stack.ts';
import { readSettings, SettingsInvalidError } from '../lib/read-settings.ts';

const app = new App();
const context = (name: string): string | undefined => app.node.tryGetContext(name);

try {
  new ImprimaturStack(app, context('stackName') ?? 'Imprimatur', {
    settings: readSettings(context('settings') ?? 'settings.json'),
    emulator: String(context('emulator')) === 'true',
    // With the caller's own credentials a deployment needs no bootstrap roles, on AWS as on an emulator.
    synthesizer: new CliCredentialsStackSynthesizer() as IStackSynthesizer,
    description: 'Imprimatur: publish a text, prove on an EVM chain who published it and when',
  });
} catch (error) {
  if (!(error instanceof SettingsInvalidError)) throw error;
  for (const problem of error.problems) console.error(problem);
  process.exit(1);
}
