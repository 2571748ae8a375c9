import { UsageInvalidError } from '../errors.ts';
import { decode, readBytes } from './read-content.ts';

/** Reads a JSON object from a file. @throws UsageInvalidError */
export async function readJsonObject(path: string): Promise<Record<string, unknown>> {
  const value = parsed(decode(await readBytes(path), path).replace(/^\ufeff/, ''));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new UsageInvalidError(`${path} must be one JSON object`);
}

/** The parser's own message is left out: it quotes the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
