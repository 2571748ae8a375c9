import { createPublicClient, http } from 'viem';
import { ArgumentInvalidError, type Arguments, parseArguments } from './parse-arguments.ts';
import { presentJson, presentText } from './present.ts';
import { ChainUnreachableError } from './read-evidence.ts';
import { FileUnreadableError, readText } from './read-text.ts';
import { verifyAttestation } from './verify.ts';

const help = `Verifies an attestation from the chain alone, without the service that made it.

node verifier/main.ts --rpc URL --registry 0x… --chain N --authority 0x… --cid bafk… --index N [--file PATH] [--json]

  --rpc URL        an Ethereum JSON-RPC endpoint of the chain
  --registry 0x…   the registry's address
  --chain N        the chain's id
  --authority 0x…  who is said to have attested the content
  --cid bafk…      the content's CID
  --index N        the attestation's index in the registry
  --file PATH      the content, exactly as attested: its CID and quote root are computed again
  --json           one JSON object instead of lines
  --help           this text

Exit code: 0 verified, 1 not verified, 2 bad usage or the chain cannot be reached.`;

async function verify({ rpcUrl, claim, path, json }: Arguments): Promise<boolean> {
  const text = path === undefined ? undefined : await readText(path);
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: 10_000, retryCount: 2 }) });
  const verification = await verifyAttestation(client, { ...claim, text });
  console.log(json ? presentJson(claim, verification) : presentText({ ...claim, text }, verification));
  return verification.verified;
}

function isExpected(error: unknown): error is Error {
  const types = [ArgumentInvalidError, FileUnreadableError, ChainUnreachableError];
  return types.some((type) => error instanceof type);
}

async function main(argv: readonly string[]): Promise<number> {
  try {
    const parsed = parseArguments(argv);
    if (parsed) return (await verify(parsed)) ? 0 : 1;
    console.log(help);
    return 0;
  } catch (error) {
    // Exit code 1 is an answer, so an unforeseen error must not end with it either.
    console.error(isExpected(error) ? `error: ${error.message}` : error);
    return 2;
  }
}

process.exitCode = await main(process.argv.slice(2));
