import { ArgumentInvalidError, type Arguments, parseArguments } from './command/parse-arguments.ts';
import { exitCodeOf, presentInvalid, presentJson, presentText } from './command/present.ts';
import { FileUnreadableError, readBytes, readText } from './command/read-text.ts';
import { QuoteProofInvalidError } from './quote/quote-proof.ts';
import { type QuoteVerdict, verifyQuote } from './quote/verify-quote.ts';
import type { Verdict } from './verdict/verdict.ts';
import { verify } from './verdict/verify.ts';

const help = `Verifies an attestation from the chain alone, without the service that made it.

node verifier/main.ts --rpc URL --reference eip155:… [--file PATH] [--json]
node verifier/main.ts --rpc URL --registry 0x… --chain N --authority 0x… --cid bafk… --index N [--file PATH] [--json]
node verifier/main.ts --rpc URL --quote PATH [--json]

  --rpc URL        an Ethereum JSON-RPC endpoint of the chain; given several times, all are asked and compared
  --reference R    eip155:<chainId>:<registryAddress>/<attestationIndex>/<authorityAddress>/<contentCid>
  --registry 0x…   the registry's address
  --chain N        the chain's id
  --authority 0x…  who is said to have attested the content
  --cid bafk…      the content's CID
  --index N        the attestation's index in the registry
  --file PATH      the content, exactly as attested: its CID and quote root are computed again
  --quote PATH     a quote proof: it names its attestation, and is checked without the content
  --json           one JSON object instead of lines
  --help           this text

Exit code: 0 verified, 3 superseded, 1 not verified, 2 bad usage, or nothing is known: the chain cannot be reached, or
the contract is no known registry.`;

/** Providers that do not answer, not as nodes of this chain do, or not alike. */
class ChainUnreachableError extends Error {
  override name = 'ChainUnreachableError';
}

async function verdictOf({ rpcUrls, subject, path }: Arguments): Promise<Verdict | QuoteVerdict> {
  if ('quotePath' in subject)
    return verifyQuote(await readBytes('--quote', subject.quotePath), { providers: rpcUrls });
  const text = path === undefined ? undefined : await readText(path);
  return verify(subject, { providers: rpcUrls, text });
}

async function run(given: Arguments): Promise<number> {
  try {
    const verdict = await verdictOf(given);
    if (!verdict.block) throw new ChainUnreachableError(verdict.reason);
    console.log(given.json ? presentJson(verdict) : presentText(verdict));
    return exitCodeOf(verdict);
  } catch (error) {
    // A forged proof is an answer, not a usage error.
    if (!(error instanceof QuoteProofInvalidError)) throw error;
    console.log(presentInvalid(error, given.json));
    return 1;
  }
}

function isExpected(error: unknown): error is Error {
  const types = [ArgumentInvalidError, FileUnreadableError, ChainUnreachableError];
  return types.some((type) => error instanceof type);
}

async function main(argv: readonly string[]): Promise<number> {
  try {
    const parsed = parseArguments(argv);
    if (parsed) return await run(parsed);
    console.log(help);
    return 0;
  } catch (error) {
    // Exit code 1 is an answer, so an unforeseen error must not end with it either.
    console.error(isExpected(error) ? `error: ${error.message}` : error);
    return 2;
  }
}

process.exitCode = await main(process.argv.slice(2));
