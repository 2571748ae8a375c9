import { parseArgs } from 'node:util';
import { type Address, isAddress } from 'viem';
import { digestOfCid } from './content-digest.ts';
import type { AttestationClaim } from './verify.ts';

/** The parsed command line. */
export interface Arguments {
  readonly rpcUrl: string;
  readonly claim: AttestationClaim;
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
  rpc: string,
  registry: string,
  chain: string,
  authority: string,
  cid: string,
  index: string,
  file: string,
  json: boolean,
  help: { ...boolean, short: 'h' },
} as const;

function parseUrl(name: string, value: string): string {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value;
  throw new ArgumentInvalidError(`--${name} must be an http or https URL`);
}

function parsePositive(name: string, value: string): number {
  const number = Number(value);
  if (/^[1-9][0-9]*$/.test(value) && Number.isSafeInteger(number)) return number;
  throw new ArgumentInvalidError(`--${name} must be a whole number from 1 on, not ${JSON.stringify(value)}`);
}

function parseAddress(name: string, value: string): Address {
  if (isAddress(value)) return value;
  if (isAddress(value, { strict: false })) {
    throw new ArgumentInvalidError(`--${name} has a wrong checksum: one of its characters may be mistyped`);
  }
  throw new ArgumentInvalidError(`--${name} must be an address, 0x and 40 hexadecimal digits`);
}

function parseCid(name: string, value: string): string {
  try {
    digestOfCid(value);
    return value;
  } catch (cause) {
    throw new ArgumentInvalidError(`--${name} must be a CIDv1 of codec raw and sha2-256 (bafkrei…)`, {
      cause,
    });
  }
}

function readOptions(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: false }).values;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ArgumentInvalidError(message.replaceAll('\n', ' '), { cause });
  }
}

/** Parses the arguments after the script's name; `undefined` when help is asked for. @throws ArgumentInvalidError */
export function parseArguments(argv: readonly string[]): Arguments | undefined {
  const values = readOptions(argv);
  if (values.help) return undefined;
  const required = <Value>(
    name: keyof typeof options,
    parse: (name: string, value: string) => Value,
  ): Value => {
    const value = values[name];
    if (typeof value !== 'string')
      throw new ArgumentInvalidError(`--${name} is missing; --help lists the options`);
    return parse(name, value);
  };
  const claim = {
    chainId: required('chain', parsePositive),
    registryAddress: required('registry', parseAddress),
    contentCid: required('cid', parseCid),
    authorityAddress: required('authority', parseAddress),
    attestationIndex: required('index', parsePositive),
  };
  return { rpcUrl: required('rpc', parseUrl), claim, path: values.file, json: values.json };
}
