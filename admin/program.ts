import { Command, Option } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { attestationCommands } from './commands/attestation.ts';
import { delegationCommands } from './commands/delegation/delegation.ts';
import { doctor } from './commands/doctor/doctor.ts';
import { keyCommands } from './commands/key.ts';
import { laneCommands } from './commands/lane.ts';
import { auditList, orgCommands } from './commands/org.ts';
import { settingsSet } from './commands/settings/set.ts';
import { settingsShow } from './commands/settings/show.ts';
import { signerCommands } from './commands/signer/signers.ts';
import { webhookCommands } from './commands/webhook.ts';
import type { Act, Examine } from './deployment/command.ts';
import { defaultStackName, type TargetOptions } from './deployment/target.ts';

export interface GlobalOptions extends TargetOptions {
  readonly json?: true;
}

const explanation = `
The deployment meant is the local one while npm start runs, which describes it in .local/stack.json. Otherwise, or with
--stack, it is the CloudFormation stack of that name, with AWS credentials and region as the AWS SDK finds them. That
needs cloudformation:DescribeStacks, ssm:GetParameter, kms:GetPublicKey, and DynamoDB reads and writes on its tables;
lane commands states:StartExecution and states:DescribeExecution too, settings set ssm:PutParameter and
ssm:DescribeParameters, and signer rotate kms:CreateKey, kms:CreateAlias and kms:ScheduleKeyDeletion.

A failure is one line on standard error. With --json, standard output is always one JSON object and nothing else:
the answer, or { "error": "…" }. (npm prints two lines of its own first unless told not to: npm run --silent admin -- …)

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 something has to happen first: the answer says what. (doctor --help has its own.)`;

/** Makes the operators' command line, which throws its usage errors and does not print them. */
export function adminProgram(act: Act, examine: Examine, writeHelp: (text: string) => void): Command {
  // The commands added below inherit how output and errors are handled.
  const program = new Command('admin')
    .description(
      'Administers a deployment of Imprimatur: publishers, their API keys and attestations, what operators did to them, ' +
        'signing keys and their lanes.',
    )
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: writeHelp, writeErr: () => {} })
    .version(packageJson.version, '--version', 'print the version')
    .addHelpText('after', explanation)
    .exitOverride();
  for (const option of globalOptions()) program.addOption(option);
  addCommands(program, act);
  doctor(program, examine);
  return program;
}

function globalOptions(): Option[] {
  const stack = `a stack in the cloud (default: "${defaultStackName}")`;
  const stackFile = 'a local stack (default: .local/stack.json)';
  return [
    new Option('--json', 'print one JSON object'),
    new Option('--stack <name>', stack).conflicts('stackFile'),
    new Option('--stack-file <path>', stackFile).env('IMPRIMATUR_STACK_FILE'),
  ];
}

type Add = (group: Command, act: Act) => void;

function addCommands(program: Command, act: Act): void {
  const group = (name: string, description: string, ...commands: Add[]) => {
    const added = program.command(name).description(description);
    for (const add of commands) add(added, act);
  };
  group('org', 'organisations: create, list, show, update', orgCommands);
  group('key', 'API keys: create, list, revoke', keyCommands);
  group('audit', 'what operators did to an organisation: list', auditList);
  group('delegation', "authorities' delegations, live on the chain: status, submit", delegationCommands);
  group('signer', 'the keys that sign and pay: list, rotate, revoke', signerCommands);
  group('lane', "a key's transactions on a chain: status, pause, resume, cancel, resync", laneCommands);
  group(
    'settings',
    'fee cap, budgets and RPC URLs, without a deployment: show, set',
    settingsShow,
    settingsSet,
  );
  group(
    'webhook',
    'receivers of events: create, list, update, rotate, remove, parked, replay',
    webhookCommands,
  );
  group('attestation', 'attestations of any organisation: show, erase', attestationCommands);
}
