import { Command, Option } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import packageJson from '../package.json' with { type: 'json' };
import { attestationCommands } from './commands/attestation.ts';
import { delegationCommands } from './commands/delegation/delegation.ts';
import { doctor } from './commands/doctor/doctor.ts';
import { estimate } from './commands/estimate.ts';
import { keyCommands } from './commands/key.ts';
import { laneCommands } from './commands/lane.ts';
import { auditList, orgCommands } from './commands/org.ts';
import { settingsSet } from './commands/settings/set.ts';
import { settingsShow } from './commands/settings/show.ts';
import { signerCommands } from './commands/signer/signers.ts';
import { status } from './commands/status/status.ts';
import { teardown } from './commands/teardown.ts';
import { webhookCommands } from './commands/webhook.ts';
import type { ToAccountAction, ToAction, ToTargetAction } from './deployment/command.ts';
import { defaultStackName, type TargetOptions } from './deployment/target.ts';
import { addExamples } from './examples.ts';
import { setupCommand } from './setup/setup-command.ts';

export interface GlobalOptions extends TargetOptions {
  readonly json?: true;
}

const notes = `While npm start runs, commands act on the local stack. Otherwise, or with
--stack, they act on a CloudFormation stack, with the credentials and region of
the AWS SDK. For the IAM permissions of each command, see
docs/operations/reference/roles.md.

Errors go to stderr. With --json, stdout is one JSON object: the result, or
{ "error": "…" }.
To suppress the output of npm itself, run npm run --silent admin -- COMMAND.`;

const examples = ['npm run admin -- setup --env staging', 'npm run --silent admin -- org list --json'];

const exitCodes = {
  0: 'success',
  1: 'failure',
  2: 'wrong usage',
  3: 'steps remain: the output lists them',
  130: 'interrupted',
};

const help = helpText({
  ...{ notes, examples, exitCodes },
  exitCodesHeading: 'Exit codes, unless a command has its own:',
});

/** Makes the operators' command line, which throws usage errors instead of printing them. */
export function adminProgram(
  toAction: ToAction,
  toAccountAction: ToAccountAction,
  toTargetAction: ToTargetAction,
  writeHelp: (text: string) => void,
): Command {
  // The subcommands inherit these settings for output and errors.
  const program = new Command('admin')
    .description('Manage a deployment of Imprimatur.')
    .configureHelp({ showGlobalOptions: true, subcommandDescription: firstSentence })
    .commandsGroup('Deployment:')
    .configureOutput({ writeOut: writeHelp, writeErr: () => {} })
    .version(packageJson.version, '--version', 'print the version')
    .addHelpText('after', help)
    .exitOverride();
  for (const option of globalOptions()) program.addOption(option);
  setupCommand(program, toTargetAction);
  status(program, toAccountAction);
  doctor(program, toAccountAction);
  estimate(program, toAccountAction);
  addCommands(program, toAction, toAccountAction);
  addExamples(program);
  return program;
}

const firstSentence = (command: Command) => command.description().replace(/(?<=\.) .*/s, '');

function globalOptions(): Option[] {
  const stack = `CloudFormation stack (default: "${defaultStackName}")`;
  const stackFile = 'file of a local stack (default: .local/stack.json)';
  return [
    new Option('--json', 'print one JSON object'),
    new Option('--stack <name>', stack).conflicts('stackFile'),
    new Option('--stack-file <path>', stackFile).env('IMPRIMATUR_STACK_FILE'),
  ];
}

type AddCommands = (group: Command, toAction: ToAction) => void;

function addCommands(program: Command, toAction: ToAction, toAccountAction: ToAccountAction): void {
  const group = (name: string, description: string, ...commands: AddCommands[]) => {
    const parent = program.command(name).description(description);
    for (const add of commands) add(parent, toAction);
  };
  group('settings', 'Show or set fee caps and budgets, and set RPC URLs.', settingsShow, settingsSet);
  teardown(program, toAccountAction);
  program.commandsGroup('Publishers:');
  group('org', 'Manage organizations and their limits.', orgCommands);
  group('key', 'Issue and revoke API keys.', keyCommands);
  group('webhook', 'Manage webhooks and replay events.', webhookCommands);
  group('attestation', 'Show attestations and erase content.', attestationCommands);
  group('audit', "List operators' changes.", auditList);
  program.commandsGroup('Signing and sending:');
  group('delegation', "Show or submit authorities' delegations.", delegationCommands);
  group('signer', 'List, rotate, and revoke signing keys.', signerCommands);
  group('lane', 'Show and control lanes of transactions.', laneCommands);
}
