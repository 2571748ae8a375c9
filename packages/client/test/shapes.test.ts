import { expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import type {
  attestationSchema,
  chainListSchema,
  creationSchema,
  invalidRequestSchema,
  proofSchema,
  quoteProofSchema,
} from '../../../functions/api/bodies/answers.ts';
import type { requestSchemas } from '../../../functions/api/bodies/requests.ts';
import type {
  Attestation,
  AttestationSummary,
  AttestFields,
  Chain,
  Proof,
  QuoteProof,
  RequestIssue,
} from '../src/imprimatur.ts';

/** A type in the client's notation: read-only, and without `undefined` for optional fields. */
type Typed<T> = T extends object ? { readonly [Key in keyof T]: Typed<Exclude<T[Key], undefined>> } : T;

type SchemaType<Schema extends z.ZodType> = Typed<z.output<Schema>>;

test("the types match the service's own schemas (checked by tsc)", () => {
  expectTypeOf<Typed<Attestation>>().toEqualTypeOf<SchemaType<typeof attestationSchema>>();
  expectTypeOf<AttestationSummary>().toEqualTypeOf<SchemaType<typeof creationSchema>>();
  expectTypeOf<Typed<Proof>>().toEqualTypeOf<SchemaType<typeof proofSchema>>();
  expectTypeOf<QuoteProof>().toEqualTypeOf<SchemaType<typeof quoteProofSchema>>();
  expectTypeOf<Chain>().toEqualTypeOf<SchemaType<typeof chainListSchema>['chains'][number]>();
  expectTypeOf<RequestIssue>().toEqualTypeOf<SchemaType<typeof invalidRequestSchema>['issues'][number]>();
  expectTypeOf<Typed<AttestFields>>().toEqualTypeOf<
    Typed<Omit<z.input<(typeof requestSchemas)['CreateRequest']>, 'content'>>
  >();
});
