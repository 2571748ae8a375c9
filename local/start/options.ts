import { Command, Option } from 'commander';
import { checkout } from '../checkout.ts';
import { type DelegateChoice, delegateChoices } from '../stack/stack-settings.ts';
import { wholeNumber } from '../terminal/whole-number.ts';

const notes = `
Environment: AWS_ENDPOINT_URL uses that emulator (LocalStack, say) instead of starting one; RPC_URL that chain, which
needs IMPRIMATUR_DEPLOYER_PRIVATE_KEY, a funded key, unless it is an anvil; FUNCTIONS_RPC_URL where functions reach it
by another address. State and logs are under .local/.`;

export interface StartOptions {
  /** The path of the article. */
  readonly file: string;
  /** In seconds. */
  readonly revealDelay: number;
  readonly delegate: DelegateChoice;
  readonly confirmations: number;
  readonly once?: true;
  readonly json?: true;
  readonly port?: number;
  readonly emulatorPort?: number;
  readonly rpcPort?: number;
}

const article = `${checkout}/local/articles/lincoln-addresses.txt`;
const port = wholeNumber(1, 65_535);

/** Makes the command line of `npm start`. */
export const startProgram = () =>
  new Command('npm start --')
    .description('Runs the whole service on this machine and attests one article, end to end.')
    .addOption(
      new Option('--file <path>', 'article to attest (UTF-8, 1 to 1,048,576 bytes)').default(
        article,
        'two addresses of Lincoln',
      ),
    )
    .option(
      '--reveal-delay <s>',
      'seconds between commit and reveal, of contract and service; 60 as in production',
      wholeNumber(1, 86_400),
      60,
    )
    .addOption(
      new Option(
        '--delegate <kind>',
        'delegate of the publisher: the signing key itself, with one registry call a transaction, or a contract that the key operates, with up to 96',
      )
        .choices(delegateChoices)
        .default('key'),
    )
    .option(
      '--confirmations <n>',
      'blocks after which a transaction is final, on a development chain',
      wholeNumber(1, 1_000),
      1,
    )
    .option('--once', 'stop after the verification; the exit status says how it went')
    .option('--json', 'one JSON object on standard output; progress goes to standard error')
    .option('--port <n>', "port of the API's address (default: 4800, or the next free one)", port)
    .option('--emulator-port <n>', "the emulator's port (default: any free one)", port)
    .option('--rpc-port <n>', "the chain's port (default: any free one)", port)
    .addHelpText('after', notes);
