import { OptionInvalidError, readOptionValues, wholeNumber } from '../../local/terminal/option-values.ts';

export const fuzzHelp = `npm run fuzz -- [options]: has schemathesis make up requests from the service's own OpenAPI document, valid ones and
wrong ones, single ones and chains of them along the document's links, and compares every answer with the document by
all of its checks.

  --cases N    how many requests at least; default 2000
  --seed S     the same requests again, as far as the answers are the same; default any
  --url URL    a running service, without /v1, instead of a local stack of its own; everything that is posted there is
               attested. The environment's IMPRIMATUR_API_KEY is the key of an organisation that has delegated
  --json       one JSON object on standard output; progress goes to standard error
  --help       this text

Needs Python 3.10 or later; installs schemathesis once, pinned, under .local. What it says is under .local/fuzz. The exit
status is 0 only if nothing failed and so many requests were made.`;

export interface FuzzOptions {
  readonly cases: number;
  readonly seed: number | undefined;
  /** Service to ask; without it, a stack is started. */
  readonly target: FuzzTarget | undefined;
  readonly json: boolean;
}

/** A service, and the key with which it is asked. */
export interface FuzzTarget {
  /** Base URL of the API, without `/v1`. */
  readonly apiUrl: string;
  readonly apiKey: string;
}

const options = {
  cases: { type: 'string', default: '2000' },
  seed: { type: 'string' },
  url: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false, short: 'h' },
} as const;

const mostCases = 1_000_000;
const mostSeed = 2 ** 31 - 1;

type Variables = Readonly<Record<string, string | undefined>>;

/** Parses the command line. @returns undefined when help is asked for. @throws OptionInvalidError */
export function parseFuzzOptions(argv: readonly string[], variables: Variables): FuzzOptions | undefined {
  const { help, cases, seed, url, json } = readOptionValues(argv, options);
  if (help) return undefined;
  return {
    cases: wholeNumber('--cases', cases, 1, mostCases),
    seed: seed === undefined ? undefined : wholeNumber('--seed', seed, 0, mostSeed),
    target: url === undefined ? undefined : parseTarget(url, variables),
    json,
  };
}

/** A key on the command line would show in every list of processes. */
function parseTarget(url: string, { IMPRIMATUR_API_KEY: apiKey }: Variables): FuzzTarget {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new OptionInvalidError(`--url must be an http or https URL, not ${JSON.stringify(url)}`);
  }
  if (!apiKey) throw new OptionInvalidError('--url needs an API key in the environment: IMPRIMATUR_API_KEY');
  return { apiUrl: url.replace(/\/+$/, ''), apiKey };
}
