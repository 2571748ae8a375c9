import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import {
  type AttestationReference,
  formatReference,
  isAttested,
  type ProofFile,
  ProofUnavailableError,
  parseProof,
  renewProof,
  takeProof,
  verify,
} from 'imprimatur-verifier';
import { collect, referenceOption } from '../arguments.ts';
import { UsageInvalidError } from '../errors.ts';
import { readBytes, writeText } from '../files/read-content.ts';
import { parseProofPath, pathOfProof } from '../files/write-proof.ts';
import { commonExitCodes } from '../help.ts';
import type { CommandResult, RunCommand, Session } from '../session.ts';
import { explainAltered, findSubject, type ReferenceOptions } from '../verifying/find-subject.ts';
import { requireProviders } from '../verifying/providers.ts';
import { verdictResult } from '../verifying/verdict-text.ts';

interface ProveOptions extends ReferenceOptions {
  readonly rpc?: readonly string[];
  readonly out?: string;
  readonly wait?: true;
}

const pollMilliseconds = 12_000;

const help = helpText({
  notes: `The proof file then contains the registry's storage with a proof against one
block. Readers check it with imprimatur verify --offline, the text and the hash
of that block. Does not contact the service. The first provider that supports
eth_getProof is used; without --rpc, a public one.`,
  examples: [
    'imprimatur prove article.txt --wait',
    'imprimatur prove article.txt --reference eip155:… --rpc https://…',
  ],
  exitCodes: {
    ...commonExitCodes,
    1: 'failed; for example, the text is not the attested one',
    2: 'wrong usage or configuration, or no usable answer from the providers',
  },
});

export function prove(program: Command, run: RunCommand): void {
  program
    .command('prove')
    .description('Add an offline proof of the attestation to the proof file.')
    .argument('<file>', 'attested text, or its proof file')
    .addOption(referenceOption())
    .option('--proof <file>', 'proof file of the text (default: article.proof.json)', parseProofPath)
    .option('--rpc <url>', 'RPC provider; repeatable, answers are compared', collect)
    .option('--out <file>', 'output file (default: the proof file)', parseProofPath)
    .option('--wait', 'renew the proof until its block is final')
    .addHelpText('after', help)
    .action((path: string, options: ProveOptions) => run((session) => runProve(session, path, options)));
}

async function runProve(session: Session, path: string, options: ProveOptions): Promise<CommandResult> {
  if (/^eip155:/i.test(path))
    throw new UsageInvalidError('prove takes a text or its proof file; pass the reference with --reference');
  const subject = await findSubject(path, options, session);
  if ('quote' in subject || subject.page !== undefined)
    throw new UsageInvalidError(`${path} is neither a text nor a proof file`);
  const { reference, text, proof } = subject;
  const providers = requireProviders(options.rpc, reference.chainId);
  const verdict = explainAltered(await verify(reference, { providers, text }), subject);
  if (!isAttested(verdict)) return verdictResult(verdict, {}, session.isColored);
  const out = options.out ?? options.proof ?? (text === undefined ? path : pathOfProof(true, path));
  const earlier = proof ?? (await readProof(out, reference));
  let renewed = await takeProof(reference, providers, { text, earlier });
  for (let written: ProofFile | undefined; ; ) {
    if (renewed !== written) await writeText(out, `${JSON.stringify(renewed, null, 1)}\n`);
    if (!options.wait || renewed.storage?.block.final) break;
    session.note(`waiting for block ${renewed.storage?.block.number} to be final`);
    await pause(pollMilliseconds, undefined, { signal: session.signal });
    written = renewed;
    renewed = await renew(renewed, providers);
  }
  const { number, hash, final } = renewed.storage?.block ?? {};
  const finality = final ? 'final' : 'not final yet';
  return {
    json: { proof: out, block: { number, hash, final } },
    text: `wrote ${out}, a proof at block ${number} (${finality}), ${hash}`,
  };
}

/** Reads an existing proof file. It has fields that providers lack. @throws UsageInvalidError for another attestation */
async function readProof(path: string, reference: AttestationReference): Promise<ProofFile | undefined> {
  if (!existsSync(path)) return undefined;
  const proof = parseProof(await readBytes(path));
  if (formatReference(proof.reference) === formatReference(reference)) return proof;
  throw new UsageInvalidError(`${path} belongs to another attestation; pass another file with --out`);
}

/** Renews the proof. If no provider answers, the next attempt may succeed. */
async function renew(proof: ProofFile, providers: readonly string[]) {
  try {
    return await renewProof(proof, providers);
  } catch (error) {
    if (error instanceof ProofUnavailableError) return proof;
    throw error;
  }
}
