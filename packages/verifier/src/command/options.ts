import { Command, Option } from 'commander';
import type { Address } from '../hex.ts';
import { type AttestationReference, parseReference } from '../reference/reference.ts';
import { parseAddress, parseCid, parsePositive } from '../reference/reference-parts.ts';
import { CommandError } from './files.ts';

const partNames = ['registry', 'chain', 'authority', 'cid', 'index'] as const;

/** What the command line says. */
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

const explanation = `
The attestation is that of --reference, or of the five options from --registry to --index, or of a proof file: that of --proof, or
article.proof.json beside the file article.md. A quote proof names its own, and is checked without the content.

Exit code: 0 verified, 3 superseded, 1 not verified, 2 bad usage, a file that cannot be read, or nothing is known:
the chain cannot be reached, the contract is no known registry, the proof file does not hold.`;

const collect = (value: string, before: readonly string[] = []) => [...before, value];

/** The console ignores a reader that has gone, so that `--help | head -1` is no error. */
const print = (text: string) => console.log(text.trimEnd());

/** The command, without what it does. */
export function verifyCommand(): Command {
  const others = [...partNames, 'reference', 'file', 'proof', 'offline', 'blockHash', 'writeProof', 'wait'];
  return new Command('imprimatur-verify')
    .description('Verifies an attestation from the chain alone, without the service that made it.')
    .option(
      '--rpc <url>',
      'an Ethereum JSON-RPC endpoint of the chain; several are asked and compared',
      collect,
    )
    .option(
      '--reference <reference>',
      'eip155:<chainId>:<registryAddress>/<attestationIndex>/<authorityAddress>/<contentCid>',
      parseReference,
    )
    .option('--registry <address>', "the registry's address", (text) => parseAddress('--registry', text))
    .option('--chain <id>', "the chain's id", (text) => parsePositive('--chain', text))
    .option('--authority <address>', 'who is said to have attested the content', (text) =>
      parseAddress('--authority', text),
    )
    .option('--cid <cid>', "the content's CID", (text) => parseCid('--cid', text))
    .option('--index <number>', "the attestation's index in the registry", (text) =>
      parsePositive('--index', text),
    )
    .option('--file <path>', 'the content, exactly as attested: its CID and quote root are computed again')
    .addOption(new Option('--quote <path>', 'a quote proof, checked without the content').conflicts(others))
    .option(
      '--other-registry <address>',
      'a registry in which corrections are looked for, beside the published ones; may be given several times',
      (text, before: readonly Address[] = []) => [...before, parseAddress('--other-registry', text)],
    )
    .option('--proof <path>', 'a proof file (default: the one beside the file)')
    .addOption(
      new Option('--offline', 'check the proof and ask nobody').conflicts([
        'rpc',
        'writeProof',
        'otherRegistry',
      ]),
    )
    .option('--block-hash <hash>', "hash of the proof's block, from a node or an explorer that you believe")
    .option(
      '--write-proof <path>',
      'write a proof of what was verified; what only the service knows is taken from --proof',
    )
    .option('--wait', 'wait until the block of that proof is final, some minutes on most chains')
    .option('--json', 'print one JSON object instead of lines')
    .addHelpText('after', explanation)
    .configureOutput({ writeOut: print })
    .exitOverride();
}

const missing = (name: string) => new CommandError(`--${name} is missing; --help lists the options`);

function given<Value>(name: string, value: Value | undefined): Value {
  if (value === undefined) throw missing(name);
  return value;
}

/** Options that need others. @throws CommandError */
export function checkOptions({ offline, rpc, wait, blockHash, writeProof }: Options): void {
  if (!offline && rpc === undefined) throw missing('rpc');
  if (offline && blockHash === undefined)
    throw new CommandError(
      '--block-hash is missing: --offline needs the hash of the block that the proof is of, from somebody whom you believe',
    );
  if (!offline && blockHash !== undefined) throw new CommandError('--block-hash needs --offline');
  if (wait && writeProof === undefined) throw new CommandError('--wait needs --write-proof');
}

/** The reference in one option, or in five; `undefined` where a proof names it. @throws CommandError */
export function referenceIn(options: Options): AttestationReference | undefined {
  const { reference, chain, registry, index, authority, cid, proof, file } = options;
  const isGiven = partNames.some((name) => options[name] !== undefined);
  if (reference || (!isGiven && (proof ?? file) !== undefined)) return reference;
  return {
    chainId: given('chain', chain),
    registryAddress: given('registry', registry),
    attestationIndex: given('index', index),
    authorityAddress: given('authority', authority),
    contentCid: given('cid', cid),
  };
}
