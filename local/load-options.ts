import { readOptionValues, wholeNumber } from './option-values.ts';

export const loadHelp = `npm run load -- [options]: attests many articles at once on the running local stack (npm start), then
checks on the chain alone that each was attested once and in order, call by call where the publisher delegates to the
forwarder. Reports transactions, calls per transaction and gas per call.

  --count N          articles of 1 to 50 KB, besides one of 1,048,576 bytes; default 40
  --concurrency N    requests at once; default 8
  --kill-workers     kill -9 all function processes of this stack, amid the posts and again amid the reveals
  --json             one JSON object on standard output; progress goes to standard error
  --help             this text

The exit status is 0 only if everything holds.`;

export interface LoadOptions {
  readonly count: number;
  readonly concurrency: number;
  readonly killWorkers: boolean;
  readonly json: boolean;
}

const options = {
  count: { type: 'string', default: '40' },
  concurrency: { type: 'string', default: '8' },
  'kill-workers': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false, short: 'h' },
} as const;

/** @returns undefined when help is asked for. @throws OptionInvalidError */
export function parseLoadOptions(argv: readonly string[]): LoadOptions | undefined {
  const values = readOptionValues(argv, options);
  if (values.help) return undefined;
  return {
    count: wholeNumber('--count', values.count, 1, 10_000),
    concurrency: wholeNumber('--concurrency', values.concurrency, 1, 64),
    killWorkers: values['kill-workers'],
    json: values.json,
  };
}
