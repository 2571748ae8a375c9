import { parseArgs } from 'node:util';
import { type AttestationReference, parseReference } from '../reference/reference.ts';
import {
  parseAddress,
  parseCid,
  parsePositive,
  ReferenceInvalidError,
} from '../reference/reference-parts.ts';

/** The parsed command line. */
export interface Arguments {
  readonly rpcUrls: readonly string[];
  /** What is verified: an attestation, or the quote proof in a file. */
  readonly subject: AttestationReference | { readonly quotePath: string };
  readonly path: string | undefined;
  readonly json: boolean;
}

/** A command line that cannot be understood; the message is one plain line. */
export class ArgumentInvalidError extends Error {
  override name = 'ArgumentInvalidError';
}

const string = { type: 'string' } as const;
const boolean = { type: 'boolean', default: false } as const;
const options = {
  rpc: { ...string, multiple: true },
  reference: string,
  registry: string,
  chain: string,
  authority: string,
  cid: string,
  index: string,
  file: string,
  quote: string,
  json: boolean,
  help: { ...boolean, short: 'h' },
} as const;

type Values = ReturnType<typeof readOptions>;
type PartName = 'registry' | 'chain' | 'authority' | 'cid' | 'index';

function parseUrl(value: string): string {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value;
  throw new ArgumentInvalidError('--rpc must be an http or https URL');
}

function readOptions(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: false }).values;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ArgumentInvalidError(message.replaceAll('\n', ' '), { cause });
  }
}

const missing = (name: string) => new ArgumentInvalidError(`--${name} is missing; --help lists the options`);

/** The reference in one option, or in five. */
function referenceOf(values: Values): AttestationReference {
  if (values.reference !== undefined) return parseReference(values.reference);
  const part = <Value>(name: PartName, parse: (name: string, value: string) => Value): Value => {
    const value = values[name];
    if (value === undefined) throw missing(name);
    return parse(`--${name}`, value);
  };
  return {
    chainId: part('chain', parsePositive),
    registryAddress: part('registry', parseAddress),
    contentCid: part('cid', parseCid),
    authorityAddress: part('authority', parseAddress),
    attestationIndex: part('index', parsePositive),
  };
}

/** A quote proof names its attestation, and is checked without the text. */
function subjectOf(values: Values): Arguments['subject'] {
  if (values.quote === undefined) return referenceOf(values);
  const { quote: quotePath, rpc: _, json: __, help: ___, ...others } = values;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new ArgumentInvalidError(`--quote and --${other} exclude each other`);
  return { quotePath };
}

/** Parses the arguments after the script's name; `undefined` when help is asked for. @throws ArgumentInvalidError */
export function parseArguments(argv: readonly string[]): Arguments | undefined {
  const values = readOptions(argv);
  if (values.help) return undefined;
  try {
    const subject = subjectOf(values);
    if (values.rpc === undefined) throw missing('rpc');
    return { rpcUrls: values.rpc.map(parseUrl), subject, path: values.file, json: values.json };
  } catch (error) {
    if (!(error instanceof ReferenceInvalidError)) throw error;
    throw new ArgumentInvalidError(error.message, { cause: error });
  }
}
