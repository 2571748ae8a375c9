import { existsSync } from 'node:fs';
import type { AttestationReference, Hex } from '../../verifier/verifier.ts';
import { QuoteFailedError, UsageInvalidError } from '../errors.ts';
import { proofBeside } from '../files/proof-path.ts';
import { readJsonObject } from '../files/read-json-object.ts';

type Verifier = typeof import('../../verifier/verifier.ts');

/** Options that say which attestation a file is of. */
export interface AttestationChoice {
  readonly reference?: string;
  readonly proof?: string;
  readonly rpc?: readonly string[];
}

/** The attestation that is quoted from, as far as it is known. */
export interface QuotedAttestation {
  readonly reference: AttestationReference;
  /** The root in the registry; `undefined` where nobody was asked. */
  readonly quoteRoot: Hex | undefined;
  readonly notes: readonly string[];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function referenceIn(path: string, { reference }: Readonly<Record<string, unknown>>): string {
  if (!isRecord(reference)) throw new UsageInvalidError(`${path} is no proof file: it has no reference`);
  const { chainId, registryAddress, attestationIndex, authorityAddress, contentCid } = reference;
  return `eip155:${chainId}:${registryAddress}/${attestationIndex}/${authorityAddress}/${contentCid}`;
}

const rootIn = ({ content }: Readonly<Record<string, unknown>>): Hex | undefined => {
  const root = isRecord(content) ? content.quoteRoot : undefined;
  return typeof root === 'string' && /^0x[\da-f]{64}$/i.test(root) ? (root.toLowerCase() as Hex) : undefined;
};

async function readProofFile(articlePath: string, { proof }: AttestationChoice) {
  const path = proof ?? proofBeside(articlePath);
  if (proof === undefined && !existsSync(path))
    throw new UsageInvalidError(
      `say which attestation it is of: --reference, or --proof (there is no ${path})`,
    );
  const file = await readJsonObject(path);
  return { line: referenceIn(path, file), quoteRoot: rootIn(file) };
}

async function askChain({ verify }: Verifier, reference: AttestationReference, providers: readonly string[]) {
  const { attestation, outcome, reason } = await verify(reference, { providers });
  if (!attestation) throw new QuoteFailedError(reason);
  const isRevoked = outcome === 'revoked';
  return {
    quoteRoot: attestation.quoteRoot,
    notes: isRevoked ? [`readers will not see it verified: ${reason}`] : [],
  };
}

/**
 * Finds the attestation of an article: the reference and the quote root in the registry, as the chain gives it or,
 * where it is not asked, the proof file.
 * @throws UsageInvalidError, QuoteFailedError, ReferenceInvalidError, RpcUrlInvalidError
 */
export async function findQuotedAttestation(
  verifier: Verifier,
  articlePath: string,
  choice: AttestationChoice,
): Promise<QuotedAttestation> {
  const { line, quoteRoot }: { line: string; quoteRoot?: Hex | undefined } =
    choice.reference === undefined ? await readProofFile(articlePath, choice) : { line: choice.reference };
  const reference = verifier.parseReference(line);
  if (choice.rpc) return { reference, ...(await askChain(verifier, reference, choice.rpc)) };
  const unknown = 'the quote root was not compared with the registry: --rpc does it';
  return { reference, quoteRoot, notes: quoteRoot === undefined ? [unknown] : [] };
}
