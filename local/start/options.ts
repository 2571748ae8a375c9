import { Command, Option } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import { wholeNumber } from 'imprimatur-terminal/whole-number';
import { type Emulator, emulators } from '../../lib/emulators.ts';
import { checkout } from '../checkout.ts';
import { type DelegateChoice, delegateChoices } from '../stack/stack-settings.ts';

const help = helpText({
  notes: `Environment variables:
  AWS_ENDPOINT_URL                 emulator to use instead of starting one
  RPC_URL                          chain to use instead of starting one
  FUNCTIONS_RPC_URL                URL of that chain for functions, if it differs
  IMPRIMATUR_DEPLOYER_PRIVATE_KEY  funded key for RPC_URL; not needed for anvil

State and logs are in .local/.`,
  examples: [
    'npm start',
    'npm start -- --once --reveal-delay 2 --file article.txt',
    'npm start -- --emulator localstack',
  ],
  exitCodes: {
    0: 'success, also if you stop it after the verification',
    1: 'failed, wrong usage or unexpected error',
    130: 'interrupted before the attestation was verified',
  },
});

export interface StartOptions {
  readonly file: string;
  /** In seconds. */
  readonly revealDelay: number;
  readonly delegate: DelegateChoice;
  readonly confirmations: number;
  readonly emulator: Emulator;
  readonly once?: true;
  readonly json?: true;
  readonly port?: number;
  readonly emulatorPort?: number;
  readonly rpcPort?: number;
}

const article = `${checkout}/local/articles/lincoln-addresses.txt`;
const port = wholeNumber(1, 65_535);
const delegateHelp =
  'delegate: "key" (the signing key) sends one call per transaction, "forwarder" (a contract) up to 96';

export const startProgram = () =>
  new Command('npm start --')
    .description('Run the whole service on this machine, and attest and verify an article.')
    .addOption(
      new Option('--file <path>', 'article to attest: UTF-8, at most 1,048,576 bytes').default(
        article,
        'two addresses by Lincoln',
      ),
    )
    .option('--reveal-delay <s>', 'seconds between commit and reveal', wholeNumber(1, 86_400), 60)
    .addOption(new Option('--delegate <kind>', delegateHelp).choices(delegateChoices).default('key'))
    .option('--confirmations <n>', 'blocks after which a transaction is final', wholeNumber(1, 1_000), 1)
    .addOption(
      new Option('--emulator <name>', 'emulator: LocalStack needs Python 3.11 to 3.13, Java 17 and Maven')
        .choices(emulators)
        .default('ministack'),
    )
    .option('--once', 'stop after the verification')
    .option('--json', 'print one JSON object, and progress to stderr')
    .option('--port <n>', 'port of the API (default: the first free port from 4800)', port)
    .option('--emulator-port <n>', 'port of the emulator (default: any free port)', port)
    .option('--rpc-port <n>', 'port of the chain (default: any free port)', port)
    .addHelpText('after', help);
