import * as z from 'zod';
import { ContentInvalidError, parseContent } from '../domain/content.ts';

const maxUrlCharacters = 2048;
const maxMetadataBytes = 32 * 1024;

/** A lone surrogate has no UTF-8 form, so it could not be returned as it was sent. */
const isHttpUrl = (text: string): boolean =>
  /^https?:\/\//i.test(text) && text.isWellFormed() && URL.canParse(text);

const url = z
  .string()
  .max(maxUrlCharacters, `must have at most ${maxUrlCharacters} characters`)
  .refine(isHttpUrl, 'must be a valid http or https URL');

const content = z.string().transform((text, context) => {
  try {
    return parseContent(text);
  } catch (error) {
    if (!(error instanceof ContentInvalidError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});

/** Bytes of the value as JSON; endless for one nested so deep that nothing here could write it out again. */
function jsonBytes(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

// That it is JSON need not be checked: it was parsed from it.
const metadata = z
  .record(z.string(), z.unknown())
  .refine(
    (value) => jsonBytes(value) <= maxMetadataBytes,
    `must be at most ${maxMetadataBytes} bytes as JSON`,
  );

/** As people misspell names: in case, with `_` or with `-`. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

/** Attesting cannot be undone: a slip in a name must not publish on the default chain. Other unknown names pass. */
function refusingMisspelt<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = new Map(Object.keys(shape).map((name) => [folded(name), name]));
  return z
    .looseObject({})
    .transform((body, context) => {
      for (const name of Object.keys(body)) {
        const meant = known.get(folded(name));
        if (meant === undefined || meant === name) continue;
        context.addIssue({ code: 'custom', path: [name], message: `did you mean ${meant}?` });
      }
      return body;
    })
    .pipe(z.object(shape));
}

export const createBodySchema = refusingMisspelt({
  content,
  chainId: z.int().positive().optional(),
  url: url.optional(),
  metadata: metadata.optional(),
});

/** Any 8-4-4-4-12 hexadecimal id is well-formed; case says nothing. */
export const idSchema = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'must be a UUID')
  .transform((id) => id.toLowerCase());

export const linkBodySchema = refusingMisspelt({ childAttestationId: idSchema });

const limitMessage = 'must be an integer from 1 to 200';

export const listQuerySchema = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, limitMessage)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= 200, limitMessage)
    .default(50),
  cursor: idSchema.optional(),
});
