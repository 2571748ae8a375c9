import { ExpectedError } from '../errors.ts';

export const maxContentBytes = 1_048_576;

declare const parsed: unique symbol;

/** A text that can be attested: well-formed Unicode of 1 to 1,048,576 UTF-8 bytes, exactly as it was sent. */
export interface Content {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly [parsed]: true;
}

/** A text cannot be attested. The message gives the publisher the reason. */
export class ContentInvalidError extends ExpectedError {}

const tooLarge = () => new ContentInvalidError('must be at most 1,048,576 bytes in UTF-8');

/** Accepts a text as content, unchanged: trimming or normalizing would change the CID. */
export function parseContent(text: string): Content {
  if (text === '') throw new ContentInvalidError('must not be empty');
  // A text has at least as many UTF-8 bytes as UTF-16 units, so a text this long is refused without encoding it.
  if (text.length > maxContentBytes) throw tooLarge();
  if (!text.isWellFormed())
    throw new ContentInvalidError(
      'must be well-formed Unicode: it has a lone surrogate, which has no UTF-8 form',
    );
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > maxContentBytes) throw tooLarge();
  return { text, bytes } as Content;
}
