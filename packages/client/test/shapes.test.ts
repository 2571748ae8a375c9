import { expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import type {
  attestationSchema,
  chainListSchema,
  creationSchema,
  invalidRequestSchema,
  proofSchema,
} from '../../../functions/api/bodies/answers.ts';
import type { requestSchemas } from '../../../functions/api/bodies/requests.ts';
import type {
  Attestation,
  AttestationSummary,
  AttestFields,
  Chain,
  Proof,
  RequestIssue,
} from '../src/imprimatur.ts';

/** A type in the client's notation: read-only, and without `undefined` for optional fields. */
type Written<T> = T extends object ? { readonly [Key in keyof T]: Written<Exclude<T[Key], undefined>> } : T;

type Shown<Schema extends z.ZodType> = Written<z.output<Schema>>;

test("the types match the service's own schemas (checked by tsc)", () => {
  expectTypeOf<Written<Attestation>>().toEqualTypeOf<Shown<typeof attestationSchema>>();
  expectTypeOf<AttestationSummary>().toEqualTypeOf<Shown<typeof creationSchema>>();
  expectTypeOf<Written<Proof>>().toEqualTypeOf<Shown<typeof proofSchema>>();
  expectTypeOf<Chain>().toEqualTypeOf<Shown<typeof chainListSchema>['chains'][number]>();
  expectTypeOf<RequestIssue>().toEqualTypeOf<Shown<typeof invalidRequestSchema>['issues'][number]>();
  expectTypeOf<Written<AttestFields>>().toEqualTypeOf<
    Written<Omit<z.input<(typeof requestSchemas)['CreateRequest']>, 'content'>>
  >();
});
