import * as z from 'zod';

const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const hash = z.string().regex(/^0x[0-9a-f]{64}$/);
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ format: 'date-time' });

const id = uuid.describe('UUIDv7, in lower case: IDs sort by the time of creation.');
const chainId = z.int().positive().describe('EIP-155 chain ID.');
const authorityAddress = address.describe(
  "The organization's authority, the author of the attestation; EIP-55 checksummed.",
);
const contentCid = z
  .string()
  .regex(/^bafkrei[a-z2-7]{52}$/)
  .describe('CIDv1 of the exact UTF-8 bytes of the content: codec raw, sha2-256, base32.');
const status = z
  .enum(['pending', 'committed', 'confirmed', 'failed'])
  .describe(
    '`pending`: accepted. `committed`: the commit is mined. `confirmed`: final on the chain and publicly verifiable. ' +
      '`failed`: not on the chain, and it will not be unless the content is submitted again. The last two never change.',
  );
const revokedAt = time
  .optional()
  .describe(
    'When the authority revoked it on the chain, as far as the service knows. The status stays `confirmed`, but the ' +
      'attestation does not verify.',
  );

export const attestationSchema = z.strictObject({
  id,
  url: z.string().min(1).max(2048).optional().describe('As given at creation.'),
  chainId,
  registryAddress: address.describe('The AttestationRegistry of the attestation.'),
  authorityAddress,
  contentCid,
  status,
  commitTxHash: hash.optional().describe('Present once the commit is mined.'),
  revealTxHash: hash.optional().describe('Present once the reveal is mined.'),
  attestationIndex: z
    .int()
    .positive()
    .optional()
    .describe("The registry's number of the attestation; present once `confirmed`."),
  error: z.string().nullable().describe('Why it failed, and what to do; null otherwise.'),
  childAttestationId: uuid.nullable().describe('The newer attestation to which the last link points.'),
  childLinkTxHash: hash.nullable().describe('Null until the link to that child is mined.'),
  childLinkError: z.string().optional().describe('Present when the link failed: why, and what to do.'),
  createdAt: time.describe('When it was accepted.'),
  confirmedAt: time.optional().describe('Timestamp of the block with the reveal; present once `confirmed`.'),
  revokedAt,
});

export const creationSchema = z.strictObject({
  ...{ id, status, contentCid, chainId, authorityAddress },
  revokedAt,
});

export const attestationListSchema = z.strictObject({
  attestations: z.array(attestationSchema).max(200).describe('Newest first.'),
});

const chainSchema = z.strictObject({
  chainId,
  name: z.string().min(1),
  registryAddress: address.describe(
    'The AttestationRegistry that your attestations go to: the newest on which your authority delegated to the ' +
      'service, or else the newest of the chain.',
  ),
  authorityAddress,
  delegateAddress: address.describe('The address that your authority delegates to on the registry.'),
  delegationActive: z
    .boolean()
    .nullable()
    .describe('Whether your authority has delegated; null while the chain cannot be reached.'),
  explorerUrl: z.url().optional().describe("The chain's block explorer."),
});

export const chainListSchema = z.strictObject({ chains: z.array(chainSchema).min(1) });

/** Schema of a quote proof; the verifier's `QuoteProof` documents its fields. */
export const quoteProofSchema = z.strictObject({
  version: z.literal(1),
  ipfsCid: contentCid,
  chainId,
  registryAddress: address,
  authority: authorityAddress,
  attestationIndex: z.int().positive(),
  segments: z
    .array(
      z.strictObject({
        text: z.string().min(1),
        chunk: z.int().nonnegative().describe('Index of the chunk in which the piece begins.'),
        offset: z.int().nonnegative().describe('UTF-16 units of that chunk before the piece.'),
      }),
    )
    .min(1)
    .describe('The quoted pieces, in the order of the text.'),
  proof: z
    .array(z.strictObject({ value: z.array(z.string()).length(2), proof: z.array(hash) }))
    .min(1)
    .describe(
      "The chunks that hold the pieces. `value` is index and chunk; `proof` is the Merkle proof for the registry's " +
        'quote root, in the format of `StandardMerkleTree.verify` of OpenZeppelin.',
    ),
});

/** Schema of the proof file, as far as the service writes it; the whole format is in `docs/proof-file.md`. */
export const proofSchema = z.strictObject({
  version: z.literal(1),
  reference: z.strictObject({
    contentCid,
    chainId,
    registryAddress: address.describe('The registry that holds the attestation.'),
    authorityAddress,
    attestationIndex: z.int().positive().describe("The registry's number of the attestation."),
  }),
  content: z.strictObject({
    quoteRoot: hash
      .optional()
      .describe('Root of the quote tree; absent when the service did not send the attestation.'),
    quoteTree: z.literal('taanq-46').optional().describe('The format of the quote tree.'),
  }),
  attested: z.strictObject({
    commitTransaction: hash.optional(),
    revealTransaction: hash.optional(),
    block: z
      .int()
      .nonnegative()
      .optional()
      .describe(
        'Number of the block with the reveal; absent when the service did not send the reveal, or while the chain cannot be reached.',
      ),
    time: time.describe('Timestamp of the block with the reveal.'),
  }),
  registry: z
    .strictObject({
      codeHash: hash.describe("keccak256 of the code at the registry's address, at a final block."),
    })
    .optional()
    .describe('Absent while the chain cannot be reached.'),
});

export type ProofBody = z.output<typeof proofSchema>;
export type AttestationBody = z.output<typeof attestationSchema>;
export type QuoteBody = z.output<typeof quoteProofSchema>;
export type CreationBody = z.output<typeof creationSchema>;

const error = z.string().min(1).describe('A description of the error.');

export const errorSchema = z.strictObject({ error });

export const invalidRequestSchema = z.strictObject({
  error: z.literal('invalid request'),
  issues: z
    .array(
      z.strictObject({
        path: z
          .array(z.union([z.string(), z.int()]))
          .describe('Path of the invalid field; empty when the body is not a JSON object.'),
        message: z.string().min(1),
      }),
    )
    .min(1)
    .describe('One per error.'),
});

export const chainRefusalSchema = z.strictObject({ error, chainId: z.int().positive() });

export const answerSchemas = {
  Creation: creationSchema,
  Attestation: attestationSchema,
  Proof: proofSchema,
  AttestationList: attestationListSchema,
  ChainList: chainListSchema,
  QuoteProof: quoteProofSchema,
  Error: errorSchema,
  InvalidRequest: invalidRequestSchema,
  ChainRefusal: chainRefusalSchema,
} as const;
