import { Command, Option } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { attestationErase } from './commands/attestation/erase.ts';
import { attestationShow } from './commands/attestation/show.ts';
import { delegationStatus } from './commands/delegation/status.ts';
import { delegationSubmit } from './commands/delegation/submit.ts';
import { doctor } from './commands/doctor/doctor.ts';
import { keyCreate } from './commands/key/create.ts';
import { keyList } from './commands/key/list.ts';
import { keyRevoke } from './commands/key/revoke.ts';
import { laneCancel, lanePause, laneResume, laneResync } from './commands/lane/control.ts';
import { laneStatus } from './commands/lane/status.ts';
import { auditList } from './commands/org/audit-list.ts';
import { orgCreate } from './commands/org/create.ts';
import { orgList } from './commands/org/list.ts';
import { orgShow } from './commands/org/show.ts';
import { orgUpdate } from './commands/org/update.ts';
import { settingsSet } from './commands/settings/set.ts';
import { settingsShow } from './commands/settings/show.ts';
import { signerList } from './commands/signer/list.ts';
import { signerRevoke } from './commands/signer/revoke.ts';
import { signerRotate } from './commands/signer/rotate.ts';
import { webhookCreate } from './commands/webhook/create.ts';
import { webhookList } from './commands/webhook/list.ts';
import { webhookParked } from './commands/webhook/parked.ts';
import { webhookRemove } from './commands/webhook/remove.ts';
import { webhookReplay } from './commands/webhook/replay.ts';
import { webhookRotate } from './commands/webhook/rotate.ts';
import { webhookUpdate } from './commands/webhook/update.ts';
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

function addCommands(program: Command, act: Act): void {
  const group = (name: string, description: string) => program.command(name).description(description);
  const organizations = group('org', 'organisations: create, list, show, update');
  for (const add of [orgCreate, orgList, orgShow, orgUpdate]) add(organizations, act);
  const keys = group('key', 'API keys: create, list, revoke');
  for (const add of [keyCreate, keyList, keyRevoke]) add(keys, act);
  auditList(group('audit', 'what operators did to an organisation: list'), act);
  const delegations = group('delegation', "authorities' delegations, live on the chain: status, submit");
  for (const add of [delegationStatus, delegationSubmit]) add(delegations, act);
  const signers = group('signer', 'the keys that sign and pay: list, rotate, revoke');
  for (const add of [signerList, signerRotate, signerRevoke]) add(signers, act);
  const lanes = group('lane', "a key's transactions on a chain: status, pause, resume, cancel, resync");
  for (const add of [laneStatus, lanePause, laneResume, laneCancel, laneResync]) add(lanes, act);
  const settings = group('settings', 'fee cap, budgets and RPC URLs, without a deployment: show, set');
  for (const add of [settingsShow, settingsSet]) add(settings, act);
  const webhooks = group(
    'webhook',
    'receivers of events: create, list, update, rotate, remove, parked, replay',
  );
  for (const add of [
    webhookCreate,
    webhookList,
    webhookUpdate,
    webhookRotate,
    webhookRemove,
    webhookParked,
    webhookReplay,
  ])
    add(webhooks, act);
  const attestations = group('attestation', 'attestations of any organisation: show, erase');
  for (const add of [attestationShow, attestationErase]) add(attestations, act);
}
