import { checkbox, confirm, input, password, select } from '@inquirer/prompts';
import { type Command, InvalidArgumentError } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import { Progress } from 'imprimatur-terminal/progress';
import { FileInvalidError } from '../../lib/environment/read-json.ts';
import { checkout } from '../../local/checkout.ts';
import { Supervisor } from '../../local/process/supervise.ts';
import { connectAccount } from '../account/connect-account.ts';
import type { CommandResult, ToTargetAction } from '../deployment/command.ts';
import type { Target } from '../deployment/target.ts';
import { UsageInvalidError } from '../terminal/errors.ts';
import { type Answers, answersOf, type Prompts, promptedAnswers } from './answers.ts';
import { setupChanges } from './changes.ts';
import { type SetupOptions, setUp } from './setup.ts';

interface Options extends SetupOptions {
  readonly answers?: string;
}

const description =
  'Deploy an environment, from an empty account to its first verified attestation. It shows a plan with costs, and asks ' +
  'before it changes anything. Run it again at any point to continue.';

const help = helpText({
  notes: `While npm start runs, setup deploys a second stack on the emulator, with the
local chain. docs/operations/deploy.md lists the answers that a file may have.
Progress is on stderr.`,
  examples: ['admin setup --env staging', 'admin setup --env staging --yes --answers answers.json --json'],
  exitCodes: {
    0: 'everything is set up',
    1: 'failure; run it again to continue',
    2: 'wrong usage, or an answer is missing',
    3: 'steps remain: the output lists them',
    130: 'interrupted; run it again to continue',
  },
});

export function setupCommand(program: Command, toTargetAction: ToTargetAction): void {
  program
    .command('setup')
    .description(description)
    .requiredOption(
      '--env <name>',
      'environment, in environments/NAME.json; created if there is none',
      parseEnvironmentName,
    )
    .option('--answers <file>', 'JSON file with answers, instead of questions')
    .option('--plan', 'only show what exists and what is missing')
    .option('--yes', 'do not ask, and do not wait where somebody else has to act')
    .addHelpText('after', help)
    .action(toTargetAction(run));
}

/** The name is also part of paths. */
function parseEnvironmentName(name: string): string {
  if (/^[\w-]{1,60}$/.test(name)) return name;
  throw new InvalidArgumentError('Use letters, digits, hyphens and underscores.');
}

/** Invalid files are wrong usage. */
async function run(target: Target, options: Options): Promise<CommandResult> {
  try {
    return await runSetup(target, options, answersFrom(options));
  } catch (error) {
    if (error instanceof FileInvalidError) throw new UsageInvalidError(error.problems.join('; '));
    throw error;
  }
}

async function runSetup(target: Target, options: Options, answers: Answers): Promise<CommandResult> {
  const supervisor = await Supervisor.open(`${checkout}/.local/setup/${options.env}`);
  const stop = async (): Promise<never> => {
    console.error('\nInterrupted. Run the same command again to continue.');
    await supervisor.stop().catch(() => {});
    return process.exit(130);
  };
  process.once('SIGINT', stop);
  const progress = new Progress(process.stderr);
  try {
    const environments = `${checkout}/environments`;
    const tools = { answers, progress, supervisor, environments, connectAccount, makeChanges: setupChanges };
    return await setUp(target, options, tools);
  } catch (error) {
    // A question turns Ctrl-C into an error.
    if (error instanceof Error && error.name === 'ExitPromptError') return await stop();
    throw error;
  } finally {
    process.off('SIGINT', stop);
    progress.end();
    await supervisor.stop();
  }
}

/** @throws UsageInvalidError without a file, if there is no terminal or `--yes` forbids questions */
function answersFrom({ answers: file, yes }: Options): Answers {
  if (file !== undefined) return answersOf(file);
  if (process.stdin.isTTY && !yes) return promptedAnswers(prompts);
  throw new UsageInvalidError('without a terminal or with --yes, pass --answers FILE');
}

/** stdout has only the result. */
const context = { output: process.stderr };

/** Returns the reason to ask again. */
const validate = (read: (text: string) => unknown) => (text: string) => {
  try {
    read(text);
    return true;
  } catch (error) {
    if (error instanceof UsageInvalidError) return error.message;
    throw error;
  }
};

const prompts: Prompts = {
  input: async (message, read) => read(await input({ message, validate: validate(read) }, context)),
  secret: async (message, read) =>
    read(await password({ message, mask: true, validate: validate(read) }, context)),
  choose: (message, choices) => select({ message, choices: [...choices] }, context),
  chooseSome: (message, choices) => checkbox({ message, choices: [...choices], required: true }, context),
  confirm: (message) => confirm({ message, default: false }, context),
};
