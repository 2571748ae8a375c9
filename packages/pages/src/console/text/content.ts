import { cidOfDigest, exactText, textOfMarkup } from 'imprimatur-verifier';
import { parse } from 'parse5';
import { sha256 } from 'viem';
import { ConsoleError } from '../session/explain-error.ts';

/** The service's limit, in bytes of UTF-8. */
const maxContentBytes = 1_048_576;
/** A page is larger than its text. */
const maxFileBytes = 16 * maxContentBytes;

export const bytesOf = (text: string) => new TextEncoder().encode(text);

/** CID of the exact bytes, as the service computes it. */
export const cidOf = (bytes: Uint8Array) => cidOfDigest(sha256(bytes));

export const cidOfText = (text: string) => cidOf(bytesOf(text));

const limitText = maxContentBytes.toLocaleString('en');

/** Explains why a text cannot be attested; `undefined` if it can. */
export function contentProblem(text: string): string | undefined {
  if (text === '') return 'Enter a text, or choose a file.';
  if (!text.isWellFormed()) {
    const line = text.slice(0, firstLoneSurrogate(text)).split(/\r\n?|\n/).length;
    return `Line ${line} contains half a character (a lone surrogate), which UTF-8 cannot represent. Remove it.`;
  }
  const { length } = bytesOf(text);
  if (length <= maxContentBytes) return undefined;
  return `The text has ${length.toLocaleString('en')} bytes, and the limit is ${limitText}. Shorten it, or split it.`;
}

const firstLoneSurrogate = (text: string) => /\p{Surrogate}/u.exec(text)?.index ?? 0;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads a file unchanged. @throws ConsoleError */
async function readFile(file: File): Promise<Uint8Array> {
  if (file.size > maxFileBytes)
    throw new ConsoleError(`${file.name} is too large. A text has at most ${limitText} bytes.`);
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new ConsoleError(`${file.name} cannot be read. Check that it is a file and was not moved.`);
  }
}

const isPage = ({ name }: File) => /\.x?html?$/i.test(name);

/** CID of a file, as `readText` would read it. @throws ConsoleError */
export const cidOfFile = async (file: File) =>
  isPage(file) ? cidOfText(await readText(file)) : cidOf(await readFile(file));

/**
 * Reads a file: the text of a web page (.html) in the form of `exactText`, any other file unchanged.
 * @throws ConsoleError
 */
export async function readText(file: File): Promise<string> {
  const text = decodeUtf8(file.name, await readFile(file));
  const content = isPage(file) ? exactText(textOfMarkup(parse(text.replace(/^\ufeff/, '')))) : text;
  if (content === '') throw new ConsoleError(`${file.name} has no text.`);
  return content;
}

function decodeUtf8(name: string, bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ConsoleError(`${name} is not UTF-8. Save it as UTF-8, and choose it again.`);
  }
}
