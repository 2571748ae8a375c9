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
  /** `undefined`: that of the proof. */
  readonly reference: AttestationReference | undefined;
  /** A quote proof, which is verified in place of a reference; `undefined` where there is none. */
  readonly quotePath: string | undefined;
  /** Registries in which corrections are looked for, beside the known ones. */
  readonly otherRegistries: readonly string[];
  readonly path: string | undefined;
  readonly proofPath: string | undefined;
  /** Hash of the block that the proof is of, in place of providers; `undefined` where those are asked. */
  readonly blockHash: string | undefined;
  readonly writeProofPath: string | undefined;
  /** Whether to wait until the written proof is final. */
  readonly wait: boolean;
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
  'other-registry': { ...string, multiple: true },
  proof: string,
  offline: boolean,
  'block-hash': string,
  'write-proof': string,
  wait: boolean,
  json: boolean,
  help: { ...boolean, short: 'h' },
} as const;

type Values = ReturnType<typeof readOptions>;
type PartName = (typeof partNames)[number];

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

const partNames = ['registry', 'chain', 'authority', 'cid', 'index'] as const;

/** The reference in one option, or in five; `undefined` where a proof names it, which may lie beside the file. */
function referenceOf(values: Values): AttestationReference | undefined {
  const isGiven = values.reference !== undefined || partNames.some((name) => values[name] !== undefined);
  if (!isGiven && [values.proof, values.file, values.quote].some((path) => path !== undefined))
    return undefined;
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

/** A quote proof names its attestation, and is checked without the text. @throws ArgumentInvalidError */
function checkQuoteAlone({ quote, ...values }: Values): void {
  const { rpc: _, json: __, help: ___, 'other-registry': ____, ...others } = values;
  const [other] = Object.entries(others).find(([, value]) => value !== undefined && value !== false) ?? [];
  if (quote !== undefined && other !== undefined)
    throw new ArgumentInvalidError(`--quote and --${other} exclude each other`);
}

/** Options that need others, and those that exclude each other. @throws ArgumentInvalidError */
function checkOptions(values: Values): void {
  const { offline, rpc, wait } = values;
  const [blockHash, writeProof] = [values['block-hash'], values['write-proof']];
  if (!offline && rpc === undefined) throw missing('rpc');
  if (offline && blockHash === undefined)
    throw new ArgumentInvalidError(
      '--block-hash is missing: --offline needs the hash of the block that the proof is of, from somebody whom you believe',
    );
  if (!offline && blockHash !== undefined) throw new ArgumentInvalidError('--block-hash needs --offline');
  if (offline && (rpc !== undefined || writeProof !== undefined))
    throw new ArgumentInvalidError('--offline asks nobody: it goes with neither --rpc nor --write-proof');
  if (offline && values['other-registry'] !== undefined)
    throw new ArgumentInvalidError('--offline asks nobody: a proof has the registry of its reference alone');
  if (wait && writeProof === undefined) throw new ArgumentInvalidError('--wait needs --write-proof');
}

/** Parses the arguments after the script's name; `undefined` when help is asked for. @throws ArgumentInvalidError */
export function parseArguments(argv: readonly string[]): Arguments | undefined {
  const values = readOptions(argv);
  if (values.help) return undefined;
  try {
    checkQuoteAlone(values);
    const reference = referenceOf(values);
    checkOptions(values);
    return {
      rpcUrls: (values.rpc ?? []).map(parseUrl),
      reference,
      quotePath: values.quote,
      otherRegistries: (values['other-registry'] ?? []).map((address) =>
        parseAddress('--other-registry', address),
      ),
      path: values.file,
      proofPath: values.proof,
      blockHash: values['block-hash'],
      writeProofPath: values['write-proof'],
      wait: values.wait,
      json: values.json,
    };
  } catch (error) {
    if (!(error instanceof ReferenceInvalidError)) throw error;
    throw new ArgumentInvalidError(error.message, { cause: error });
  }
}
