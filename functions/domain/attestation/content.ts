import { ExpectedError } from '../errors.ts';

export const maxContentBytes = 1_048_576;

declare const parsed: unique symbol;

/** A text that can be attested: well-formed Unicode of 1 to 1,048,576 UTF-8 bytes, exactly as it was sent. */
export interface Content {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly [parsed]: true;
}

/** Refusal of a text that cannot be attested; the message says why, for the publisher to read. */
export class ContentInvalidError extends ExpectedError {}

const tooLarge = () => new ContentInvalidError('must be at most 1,048,576 bytes in UTF-8');

/** Accepts a text as content, unchanged: any trimming or normalizing would give it another CID. */
export function parseContent(text: string): Content {
  if (text === '') throw new ContentInvalidError('must not be empty');
  // No text has fewer UTF-8 bytes than UTF-16 units, so one this long need not be encoded to be refused.
  if (text.length > maxContentBytes) throw tooLarge();
  if (!text.isWellFormed())
    throw new ContentInvalidError(
      'must be well-formed Unicode: it has a lone surrogate, which has no UTF-8 form',
    );
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > maxContentBytes) throw tooLarge();
  return { text, bytes } as Content;
}
