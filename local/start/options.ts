import { checkout } from '../checkout.ts';
import { type DelegateChoice, delegateChoices } from '../stack/stack-settings.ts';
import { oneOf, readOptionValues, wholeNumber } from '../terminal/option-values.ts';

export const startHelp = `npm start -- [options]: runs the whole service on this machine and attests one article, end to end.

  --file PATH        the article to attest (UTF-8, 1 to 1,048,576 bytes); default: two addresses of Lincoln
  --reveal-delay S   seconds between commit and reveal, of contract and service; default 60, as in production
  --delegate WHOM    whom the publisher delegates to: key, the signing key itself, one registry call a transaction; or
                     forwarder, a contract that the key operates, up to 96 calls a transaction; default key
  --confirmations N  blocks after which a transaction is final, on a development chain; default 1
  --once             stop after the verification instead of staying up; the exit status tells how it went
  --json             one JSON object on standard output; progress goes to standard error
  --port N           the port of the API's address; default: 4800, or the next free one
  --emulator-port N  the emulator's port; default: any free one
  --rpc-port N       the chain's port; default: any free one
  --help             this text

Environment: AWS_ENDPOINT_URL uses that emulator (LocalStack, say) instead of starting one; RPC_URL that chain, which
needs IMPRIMATUR_DEPLOYER_PRIVATE_KEY, a funded key, unless it is an anvil; FUNCTIONS_RPC_URL where functions reach it
by another address. State and logs are under .local/.`;

export interface StartOptions {
  readonly articlePath: string;
  readonly revealDelaySeconds: number;
  readonly delegate: DelegateChoice;
  readonly confirmations: number;
  readonly once: boolean;
  readonly json: boolean;
  readonly port: number | undefined;
  readonly emulatorPort: number | undefined;
  readonly rpcPort: number | undefined;
}

const options = {
  file: { type: 'string', default: `${checkout}/local/articles/lincoln-addresses.txt` },
  'reveal-delay': { type: 'string', default: '60' },
  delegate: { type: 'string', default: 'key' },
  confirmations: { type: 'string', default: '1' },
  once: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  port: { type: 'string' },
  'emulator-port': { type: 'string' },
  'rpc-port': { type: 'string' },
  help: { type: 'boolean', default: false, short: 'h' },
} as const;

const parsePort = (option: string, value: string | undefined) =>
  value === undefined ? undefined : wholeNumber(option, value, 1, 65_535);

/** Parses the command line. @returns undefined when help is asked for. @throws OptionInvalidError */
export function parseStartOptions(argv: readonly string[]): StartOptions | undefined {
  const values = readOptionValues(argv, options);
  if (values.help) return undefined;
  return {
    articlePath: values.file,
    revealDelaySeconds: wholeNumber('--reveal-delay', values['reveal-delay'], 1, 86_400),
    delegate: oneOf('--delegate', values.delegate, delegateChoices),
    confirmations: wholeNumber('--confirmations', values.confirmations, 1, 1_000),
    once: values.once,
    json: values.json,
    port: parsePort('--port', values.port),
    emulatorPort: parsePort('--emulator-port', values['emulator-port']),
    rpcPort: parsePort('--rpc-port', values['rpc-port']),
  };
}
