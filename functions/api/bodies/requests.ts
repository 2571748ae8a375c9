import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod';
import { ContentInvalidError, maxContentBytes, parseContent } from '../../domain/attestation/content.ts';
import { AttestationMissingError, RequestInvalidError } from '../../domain/errors.ts';
import { memberText } from './member-text.ts';
import { rejectNearMisses } from './near-misses.ts';

const maxUrlCharacters = 2048;
const maxMetadataBytes = 32 * 1024;
const maxPieces = 1000;

/** Length of an escaped byte: `\u0061`. */
const maxEscapeLength = 6;

const metadataMessage = `must be at most ${maxMetadataBytes} bytes as JSON`;

const letters = 'A-Za-z\\u00C0-\\u024F';

/** A host name whose last label ends with a letter: with a number it would be an IPv4 address, or invalid. */
const name = `[${letters}0-9_.-]*[${letters}]\\.?`;

/** C0 and C1 controls: parsers drop line feeds and tabs, while programs that print the URL would print them. */
const controls = '\\u0000-\\u001F\\u007F-\\u009F';

const hasControls = (text: string): boolean => new RegExp(`[${controls}]`).test(text);

/** Pattern of common URLs for JSON Schema. The URL standard's parser decides, and accepts more. */
export const urlPattern = `^[Hh][Tt][Tt][Pp][Ss]?://(?:[^/?#\\\\@${controls}]*@)?${name}(?::[1-5]?[0-9]{1,4})?(?:[/?#][^${controls}]*)?$`;

/** A lone surrogate has no UTF-8 form and could not be returned as sent. */
const isHttpUrl = (text: string): boolean =>
  /^https?:\/\//i.test(text) && text.isWellFormed() && URL.canParse(text) && !hasControls(text);

export const url = z
  .string()
  .max(maxUrlCharacters, `must have at most ${maxUrlCharacters} characters`)
  .refine(isHttpUrl, 'must be a valid http or https URL')
  .meta({
    minLength: 1,
    pattern: urlPattern,
    description:
      'Canonical URL of the published article: http or https. Returned exactly as sent. The service also accepts hosts ' +
      'that this pattern does not match: names in scripts other than Latin, and IP addresses.',
  });

const content = z
  .string()
  // In characters, as in JSON Schema: a text has at least as many bytes.
  .meta({
    minLength: 1,
    maxLength: maxContentBytes,
    description:
      'The exact text to attest, never trimmed or normalized: well-formed Unicode of 1 to 1,048,576 bytes in UTF-8 ' +
      '(bytes, so that fewer characters fit when they are not all ASCII).',
  })
  .transform((text, context) => {
    try {
      return parseContent(text);
    } catch (error) {
      if (!(error instanceof ContentInvalidError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
      return z.NEVER;
    }
  });

/** Size of the value as JSON in bytes; infinite if nested too deeply to serialize. */
function jsonBytes(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

// The value was parsed from JSON, so its type is not checked further.
const metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => jsonBytes(value) <= maxMetadataBytes, metadataMessage)
  .describe(
    'Anything to keep with the attestation, at most 32 KiB as JSON. Never returned and never sent to the chain.',
  );

/**
 * Returns the metadata of a valid body as sent.
 * @throws RequestInvalidError if it is longer than metadata of the maximum size with every byte escaped
 */
export function sentMetadata(body: string): string | undefined {
  const text = memberText(body, 'metadata');
  if (text === undefined || text.length <= maxMetadataBytes * maxEscapeLength) return text;
  throw new RequestInvalidError([{ path: ['metadata'], message: metadataMessage }]);
}

const chainMessage = 'must be a whole number of at least 1';

const chainId = z
  .int(chainMessage)
  .positive(chainMessage)
  .describe("Chain to publish on; by default the organization's, or else the service's.");

export const createBodySchema = rejectNearMisses({
  content,
  chainId: chainId.optional(),
  url: url.optional(),
  metadata: metadata.optional(),
});

/** Schema of an id: any 8-4-4-4-12 hexadecimal id is well-formed, in either case. */
export const idSchema = z
  .string()
  .regex(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, 'must be a UUID')
  .transform((id) => id.toLowerCase());

export const linkBodySchema = rejectNearMisses({ childAttestationId: idSchema });

const piece = z
  .string()
  .min(1, 'must not be empty')
  .max(maxContentBytes, 'must be at most 1,048,576 characters')
  .describe('Exactly as in the text.');

const piecesMessage = `must be a text, or a list of 1 to ${maxPieces} texts`;
const pieces = z.array(piece).min(1, piecesMessage).max(maxPieces, piecesMessage);
const error = ({ input }: z.core.$ZodRawIssue) => (input === undefined ? 'is missing' : piecesMessage);

export const quoteBodySchema = rejectNearMisses({
  passage: z
    .union([piece, pieces], { error })
    .describe(
      'What to quote: one string, in which an ellipsis or anything in square brackets marks an omission, ' +
        'or the pieces in their order. A string that occurs in the text is quoted unchanged.',
    ),
});

/** Reads the attestation's id from the path. A malformed id is treated as unknown. @throws AttestationMissingError */
export function attestationIdOf({ pathParameters }: APIGatewayProxyEvent): string {
  const id = idSchema.safeParse(pathParameters?.id);
  if (!id.success) throw new AttestationMissingError();
  return id.data;
}

export const requestSchemas = {
  CreateRequest: createBodySchema.out,
  LinkRequest: linkBodySchema.out,
  QuoteRequest: quoteBodySchema.out,
} as const;
