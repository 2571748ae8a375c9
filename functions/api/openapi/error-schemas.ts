import * as z from 'zod';

const error = z.string().min(1).meta({ description: 'What is wrong, in words.' });

/** What every refusal has at least. */
export const errorSchema = z.strictObject({ error });

export const invalidRequestSchema = z.strictObject({
  error: z.literal('invalid request'),
  issues: z
    .array(
      z.strictObject({
        path: z.array(z.union([z.string(), z.int()])).meta({
          description: 'Leads to the offending field; empty when the body is no JSON object.',
        }),
        message: z.string().min(1),
      }),
    )
    .min(1)
    .meta({ description: 'One for each thing that is wrong.' }),
});

/** A refusal that depends on the chain. */
export const chainRefusalSchema = z.strictObject({ error, chainId: z.int().positive() });
