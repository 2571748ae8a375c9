import { againstProof } from '../proof/contradiction.ts';
import type { ProofFile } from '../proof/proof-file.ts';
import { proofBeside } from '../proof/proof-path.ts';
import { renewProof, takeProof } from '../proof/take-proof.ts';
import { verifyOffline } from '../proof/verify-offline.ts';
import { QuoteProofInvalidError } from '../quote/quote-proof.ts';
import { type QuoteVerdict, verifyQuote } from '../quote/verify-quote.ts';
import { formatReference } from '../reference/reference.ts';
import { exitCodeOf, isAttested } from '../verdict/answer.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { verify } from '../verdict/verify.ts';
import { ArgumentInvalidError, type Arguments } from './parse-arguments.ts';
import { presentInvalid, presentJson, presentText } from './present.ts';
import { findProofBeside, readProof, writeProof } from './proof-files.ts';
import { readBytes, readText } from './read-text.ts';

/** Providers that do not answer, not as nodes of this chain do, or not alike. */
export class ChainUnreachableError extends Error {
  override name = 'ChainUnreachableError';
}

/** About the time of a block. */
const pollMilliseconds = 5000;

/** The proof that is named, or the one beside the file where the reference or the whole answer has to come from it. */
async function proofOf({ proofPath, path, reference, blockHash }: Arguments): Promise<ProofFile | undefined> {
  if (proofPath !== undefined) return readProof(proofPath);
  if (path === undefined || (reference && blockHash === undefined)) return undefined;
  const proof = await findProofBeside(path);
  if (proof) return proof;
  throw new ArgumentInvalidError(`--proof is missing, and there is no ${proofBeside(path)}`);
}

function referenceOf({ reference }: Arguments, proof: ProofFile | undefined) {
  const found = reference ?? proof?.reference;
  if (!found) throw new ArgumentInvalidError('--reference is missing; --help lists the options');
  if (proof && formatReference(proof.reference) !== formatReference(found))
    throw new ArgumentInvalidError('the proof is of another attestation than --reference');
  return found;
}

async function checkOffline(
  args: Arguments,
  proof: ProofFile | undefined,
  blockHash: string,
  text: string | undefined,
) {
  if (!proof) throw new ArgumentInvalidError('--proof is missing; --help lists the options');
  return verifyOffline(proof, { blockHash, text, reference: args.reference });
}

/** Asks the providers; a proof that gives the reference has to say what they say. */
async function ask(args: Arguments, proof: ProofFile | undefined, text: string | undefined) {
  const { rpcUrls: providers, otherRegistries } = args;
  const verdict = await verify(referenceOf(args, proof), { providers, text, otherRegistries });
  return proof ? againstProof(verdict, proof) : verdict;
}

/** Waits until the proof is final, and writes it as often as it changes. */
async function writeUntilFinal(path: string, taken: ProofFile, rpcUrls: readonly string[], wait: boolean) {
  let proof = taken;
  await writeProof(path, proof);
  while (wait && !proof.storage?.block.final) {
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
    const renewed = await renewProof(proof, rpcUrls);
    if (renewed !== proof) await writeProof(path, renewed);
    proof = renewed;
  }
  const { number, final } = proof.storage?.block ?? {};
  console.error(
    `${path} is written: a proof of block ${number}, ${final ? 'which is final' : 'not final yet'}`,
  );
}

function print(verdict: Verdict | QuoteVerdict, json: boolean): number {
  console.log(json ? presentJson(verdict) : presentText(verdict));
  return exitCodeOf(verdict);
}

async function runQuote(
  path: string,
  { rpcUrls: providers, otherRegistries, json }: Arguments,
): Promise<number> {
  try {
    const verdict = await verifyQuote(await readBytes('--quote', path), { providers, otherRegistries });
    if (!verdict.block) throw new ChainUnreachableError(verdict.reason);
    return print(verdict, json);
  } catch (error) {
    // A forged proof is an answer, not a usage error.
    if (!(error instanceof QuoteProofInvalidError)) throw error;
    console.log(presentInvalid(error, json));
    return 1;
  }
}

/**
 * Verifies, prints the verdict, and writes a proof where one is asked for and the attestation exists.
 *
 * @returns the exit code
 */
export async function run(args: Arguments): Promise<number> {
  const { rpcUrls, blockHash, path, json, writeProofPath, quotePath } = args;
  if (quotePath !== undefined) return runQuote(quotePath, args);
  const text = path === undefined ? undefined : await readText(path);
  const proof = await proofOf(args);
  const verdict =
    blockHash === undefined ? await ask(args, proof, text) : await checkOffline(args, proof, blockHash, text);
  if (blockHash === undefined && !verdict.block) throw new ChainUnreachableError(verdict.reason);
  const exitCode = print(verdict, json);
  if (writeProofPath !== undefined && isAttested(verdict)) {
    const taken = await takeProof(verdict.reference, rpcUrls, { text, earlier: proof });
    await writeUntilFinal(writeProofPath, taken, rpcUrls, args.wait);
  }
  return exitCode;
}
