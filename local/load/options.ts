import { OptionInvalidError, readOptionValues, wholeNumber } from '../terminal/option-values.ts';

export const loadHelp = `npm run load -- [options]: attests many articles at once on the running local stack (npm start), then
checks on the chain alone that each was attested once and in order, call by call where the publisher delegates to the
forwarder. Reports transactions, calls per transaction and gas per call. With --seconds it makes requests of all kinds for
so long instead, and reports statuses and times of each kind; what it posted is attested afterwards.

  --count N          articles of 1 to 50 KB, besides one of 1,048,576 bytes; default 40
  --seconds N        make requests for so long, each once; without --count and --kill-workers
  --concurrency N    requests at once; default 8
  --kill-workers     kill -9 all function processes of this stack, amid the posts and again amid the reveals
  --json             one JSON object on standard output; progress goes to standard error
  --help             this text

The exit status is 0 only if everything holds: with --seconds, that every request was answered, and none with 5xx.`;

export interface LoadOptions {
  readonly count: number;
  /** Duration of the load of requests; replaces the number of articles. */
  readonly seconds: number | undefined;
  readonly concurrency: number;
  readonly killWorkers: boolean;
  readonly json: boolean;
}

const options = {
  count: { type: 'string' },
  seconds: { type: 'string' },
  concurrency: { type: 'string', default: '8' },
  'kill-workers': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false, short: 'h' },
} as const;

/** Parses the command line. @returns undefined when help is asked for. @throws OptionInvalidError */
export function parseLoadOptions(argv: readonly string[]): LoadOptions | undefined {
  const values = readOptionValues(argv, options);
  if (values.help) return undefined;
  const { count = '40', seconds } = values;
  if (seconds !== undefined && (values.count !== undefined || values['kill-workers'])) {
    throw new OptionInvalidError(
      '--seconds stands alone: --count and --kill-workers are of the other kind of load',
    );
  }
  return {
    count: wholeNumber('--count', count, 1, 10_000),
    seconds: seconds === undefined ? undefined : wholeNumber('--seconds', seconds, 1, 3600),
    concurrency: wholeNumber('--concurrency', values.concurrency, 1, 64),
    killWorkers: values['kill-workers'],
    json: values.json,
  };
}
