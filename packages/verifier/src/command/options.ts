import { Command, Option } from 'commander';
import type { Address } from '../hex.ts';
import { type AttestationReference, parseReference } from '../reference/reference.ts';
import { parseAddress, parseCid, parsePositive } from '../reference/reference-parts.ts';
import { CommandError } from './files.ts';
import type { Output } from './output.ts';

const partNames = ['registry', 'chain', 'authority', 'cid', 'index'] as const;

export interface Options {
  readonly rpc?: readonly string[];
  readonly reference?: AttestationReference;
  readonly registry?: Address;
  readonly chain?: number;
  readonly authority?: Address;
  readonly cid?: string;
  readonly index?: number;
  readonly file?: string;
  readonly quote?: string;
  readonly otherRegistry?: readonly Address[];
  readonly proof?: string;
  readonly offline?: true;
  readonly blockHash?: string;
  readonly writeProof?: string;
  readonly wait?: true;
  readonly json?: true;
}

const help = `
Name the attestation in one of these ways:
  - --reference
  - --registry, --chain, --authority, --cid and --index
  - --proof, with a proof file
  - --file article.md, if the proof file article.proof.json is beside it
A quote proof names its own attestation and needs no content.

Examples:
  imprimatur-verify --rpc https://… --file article.md
  imprimatur-verify --rpc https://… --quote quote.json
  imprimatur-verify --offline --block-hash 0x… --file article.md

Exit codes:
  0    verified
  1    not verified
  2    wrong usage, an unreadable file, an unexpected error, or unknown:
       providers do not answer or disagree, the registry is not known, or the
       proof file is invalid
  3    superseded by a correction
  130  interrupted`;

const collect = (value: string, previous: readonly string[] = []) => [...previous, value];

export function verifyCommand(output: Output): Command {
  const others = [...partNames, 'reference', 'file', 'proof', 'offline', 'blockHash', 'writeProof', 'wait'];
  return new Command('imprimatur-verify')
    .description('Verify an attestation with only the chain, without the service.')
    .option('--rpc <url>', 'RPC provider of the chain; repeatable, answers are compared', collect)
    .option(
      '--reference <reference>',
      'eip155:<chainId>:<registryAddress>/<attestationIndex>/<authorityAddress>/<contentCid>',
      parseReference,
    )
    .option('--registry <address>', 'address of the registry', (text) => parseAddress('--registry', text))
    .option('--chain <id>', 'chain ID', (text) => parsePositive('--chain', text))
    .option('--authority <address>', 'address of the authority', (text) => parseAddress('--authority', text))
    .option('--cid <cid>', 'CID of the content', (text) => parseCid('--cid', text))
    .option('--index <number>', 'index of the attestation', (text) => parsePositive('--index', text))
    .option('--file <path>', 'exact content; its CID and quote root are compared')
    .addOption(new Option('--quote <path>', 'quote proof, checked without the content').conflicts(others))
    .option(
      '--other-registry <address>',
      'another registry to search for corrections; repeatable',
      (text, previous: readonly Address[] = []) => [...previous, parseAddress('--other-registry', text)],
    )
    .option('--proof <path>', 'proof file (default: article.proof.json)')
    .addOption(
      new Option('--offline', 'check the proof file without network access').conflicts([
        'rpc',
        'writeProof',
        'otherRegistry',
      ]),
    )
    .option('--block-hash <hash>', "hash of the proof's block, from a source that you trust")
    .option('--write-proof <path>', "write a proof file; keeps the service's fields of --proof")
    .option('--wait', 'wait until the block of the written proof is final')
    .option('--json', 'print one JSON object')
    .addHelpText('after', help)
    .configureOutput({
      writeOut: (text) => output.log(text.trimEnd()),
      writeErr: (text) => output.error(text.trimEnd()),
    })
    .exitOverride();
}

const missingOption = (name: string) => new CommandError(`missing --${name}; --help lists the options`);

function requireOption<Value>(name: string, value: Value | undefined): Value {
  if (value === undefined) throw missingOption(name);
  return value;
}

export function checkOptions({ offline, rpc, wait, blockHash, writeProof }: Options): void {
  if (!offline && rpc === undefined) throw missingOption('rpc');
  if (offline && blockHash === undefined)
    throw new CommandError("missing --block-hash; --offline needs the hash of the proof's block");
  if (!offline && blockHash !== undefined) throw new CommandError('--block-hash needs --offline');
  if (wait && writeProof === undefined) throw new CommandError('--wait needs --write-proof');
}

/** Reads the reference from one option or from five; `undefined` if a proof file has it. @throws CommandError */
export function referenceIn(options: Options): AttestationReference | undefined {
  const { reference, chain, registry, index, authority, cid, proof, file } = options;
  const hasPart = partNames.some((name) => options[name] !== undefined);
  if (reference || (!hasPart && (proof ?? file) !== undefined)) return reference;
  return {
    chainId: requireOption('chain', chain),
    registryAddress: requireOption('registry', registry),
    attestationIndex: requireOption('index', index),
    authorityAddress: requireOption('authority', authority),
    contentCid: requireOption('cid', cid),
  };
}
