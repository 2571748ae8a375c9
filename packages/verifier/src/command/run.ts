import { compareWithProof } from '../proof/contradiction.ts';
import type { ProofFile } from '../proof/proof-file.ts';
import { renewProof, takeProof } from '../proof/take-proof.ts';
import { verifyOffline } from '../proof/verify-offline.ts';
import { QuoteProofInvalidError } from '../quote/quote-proof.ts';
import { type QuoteVerdict, verifyQuote } from '../quote/verify-quote.ts';
import { type AttestationReference, formatReference } from '../reference/reference.ts';
import { exitCodeOf, isAttested } from '../verdict/outcome.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { verify } from '../verdict/verify.ts';
import { CommandError, readBytes, readProof, readProofBeside, readText, writeProof } from './files.ts';
import { checkOptions, type Options, referenceIn } from './options.ts';
import type { Output } from './output.ts';
import { presentJson, presentText } from './present.ts';

const pollMilliseconds = 5000;

async function findProof({ proof, file, blockHash }: Options, reference: AttestationReference | undefined) {
  if (proof !== undefined) return readProof(proof);
  if (file === undefined || (reference && blockHash === undefined)) return undefined;
  return readProofBeside(file);
}

async function verifyOnline(
  { rpc = [], otherRegistry: otherRegistries }: Options,
  reference: AttestationReference | undefined,
  proof: ProofFile | undefined,
  text: string | undefined,
): Promise<Verdict> {
  const claimed = reference ?? proof?.reference;
  if (!claimed) throw new CommandError('missing --reference; --help lists the options');
  if (proof && formatReference(proof.reference) !== formatReference(claimed))
    throw new CommandError('the proof file is for a different attestation than the options name');
  const verdict = await verify(claimed, { providers: rpc, text, otherRegistries });
  checkAnswered(verdict);
  return proof ? compareWithProof(verdict, proof) : verdict;
}

/** @throws CommandError if the providers gave no usable answers */
function checkAnswered({ block, reason }: Verdict): void {
  if (!block) throw new CommandError(reason);
}

/** Writes the proof, and with `wait` writes each renewed proof until its block is final. */
async function writeUntilFinal(
  output: Output,
  path: string,
  first: ProofFile,
  { rpc = [], wait }: Options,
): Promise<void> {
  let proof = first;
  await writeProof(path, proof);
  while (wait && !proof.storage?.block.final) {
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
    const renewed = await renewProof(proof, rpc);
    if (renewed !== proof) await writeProof(path, renewed);
    proof = renewed;
  }
  const { number, final } = proof.storage?.block ?? {};
  output.error(`wrote ${path}: proof at block ${number}, ${final ? 'final' : 'not final yet'}`);
}

function print(output: Output, verdict: Verdict | QuoteVerdict, json = false): number {
  output.log(json ? presentJson(verdict) : presentText(verdict));
  return exitCodeOf(verdict);
}

async function runQuote(
  output: Output,
  path: string,
  { rpc = [], otherRegistry, json }: Options,
): Promise<number> {
  try {
    const options = { providers: rpc, otherRegistries: otherRegistry };
    const verdict = await verifyQuote(await readBytes('--quote', path), options);
    checkAnswered(verdict);
    return print(output, verdict, json);
  } catch (error) {
    // A forged proof is a negative result, not wrong usage.
    if (!(error instanceof QuoteProofInvalidError)) throw error;
    output.log(json ? JSON.stringify(error.answer) : error.answerText);
    return 1;
  }
}

/** Verifies what the options name. @returns the exit code */
export async function run(output: Output, options: Options): Promise<number> {
  checkOptions(options);
  const { rpc = [], blockHash, file, writeProof: path, quote } = options;
  if (quote !== undefined) return runQuote(output, quote, options);
  const reference = referenceIn(options);
  const text = file === undefined ? undefined : await readText(file);
  const proof = await findProof(options, reference);
  if (blockHash !== undefined) {
    if (!proof) throw new CommandError('missing --proof; --help lists the options');
    return print(output, await verifyOffline(proof, { blockHash, text, reference }), options.json);
  }
  const verdict = await verifyOnline(options, reference, proof, text);
  const exitCode = print(output, verdict, options.json);
  if (path !== undefined && isAttested(verdict)) {
    const first = await takeProof(verdict.reference, rpc, { text, earlier: proof });
    await writeUntilFinal(output, path, first, options);
  }
  return exitCode;
}
