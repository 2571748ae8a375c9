#!/usr/bin/env node
import { ArgumentInvalidError, parseArguments } from './command/parse-arguments.ts';
import { FileUnreadableError } from './command/read-text.ts';
import { ChainUnreachableError, run } from './command/run.ts';
import { ProofUnavailableError } from './proof/first-answer.ts';
import { BlockHashInvalidError } from './proof/verify-offline.ts';

const help = `Verifies an attestation from the chain alone, without the service that made it.

node verifier/main.ts --rpc URL --reference eip155:… [--file PATH] [--json]
node verifier/main.ts --rpc URL --registry 0x… --chain N --authority 0x… --cid bafk… --index N [--file PATH] [--json]
node verifier/main.ts --rpc URL --quote PATH [--json]
node verifier/main.ts --rpc URL [--proof PATH] --file PATH [--write-proof PATH [--wait]] [--json]
node verifier/main.ts --offline --block-hash 0x… [--proof PATH] --file PATH [--json]

  --rpc URL        an Ethereum JSON-RPC endpoint of the chain; given several times, all are asked and compared
  --reference R    eip155:<chainId>:<registryAddress>/<attestationIndex>/<authorityAddress>/<contentCid>
  --registry 0x…   the registry's address
  --chain N        the chain's id
  --authority 0x…  who is said to have attested the content
  --cid bafk…      the content's CID
  --index N        the attestation's index in the registry
  --file PATH      the content, exactly as attested: its CID and quote root are computed again
  --quote PATH     a quote proof: it names its attestation, and is checked without the content
  --other-registry 0x…
                   a registry in which corrections are looked for that are not in the reference's own; several times for
                   several. The published registries of the chain are looked in without it
  --proof PATH     a proof file, which has the reference; without it and a reference, article.proof.json beside article.md
  --offline        check the proof and ask nobody
  --block-hash 0x… hash of the block that the proof is of, from a node or an explorer that you believe, never from the proof
  --write-proof PATH
                   write a proof of what was verified, for --offline; what only the service knows is taken from --proof
  --wait           wait until the block of that proof is final, some minutes on most chains
  --json           one JSON object instead of lines
  --help           this text

Exit code: 0 verified, 3 superseded, 1 not verified, 2 bad usage, a file that cannot be read, or nothing is known:
the chain cannot be reached, the contract is no known registry, the proof file does not hold.`;

function isExpected(error: unknown): error is Error {
  const types = [
    ArgumentInvalidError,
    FileUnreadableError,
    ChainUnreachableError,
    ProofUnavailableError,
    BlockHashInvalidError,
  ];
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
