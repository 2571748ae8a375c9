import { execFile } from 'node:child_process';
import type { ConfirmedAttestation } from 'imprimatur-client';
import { checkout } from '../checkout.ts';
import type { StackFile } from '../stack/stack-file.ts';

export interface VerificationOutcome {
  readonly verified: boolean;
  /** Output of the verifier. */
  readonly output: string;
}

/** Makes the arguments with which the verifier checks an attestation against the chain alone. */
export function verifierArguments(
  stack: Pick<StackFile, 'rpcUrl' | 'registryAddress'>,
  attestation: ConfirmedAttestation,
  articlePath: string,
): string[] {
  return [
    `${checkout}/packages/verifier/src/main.ts`,
    ...['--rpc', stack.rpcUrl],
    ...['--registry', stack.registryAddress],
    ...['--chain', String(attestation.chainId)],
    ...['--authority', attestation.authorityAddress],
    ...['--cid', attestation.contentCid],
    ...['--index', String(attestation.attestationIndex)],
    ...['--file', articlePath],
  ];
}

/** Runs the verifier as a separate process: it shares no code with the service and reads only the chain. */
export function runVerifier(args: readonly string[], json: boolean): Promise<VerificationOutcome> {
  const argv = json ? [...args, '--json'] : [...args];
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ verified: error === null, output: (stdout + stderr).trimEnd() });
    });
  });
}
