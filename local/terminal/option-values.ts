import { type ParseArgsConfig, parseArgs } from 'node:util';
import { PlainError } from './plain-error.ts';

/** A command line that cannot be used; the message says which option and why. */
export class OptionInvalidError extends PlainError {
  override readonly name = 'OptionInvalidError';
}

/** Reads a command line that takes options alone. @throws OptionInvalidError */
export function readOptionValues<Options extends NonNullable<ParseArgsConfig['options']>>(
  argv: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: false, strict: true }).values;
  } catch (cause) {
    // Node's own message is a sentence on the option, followed by advice on positional arguments.
    const message = cause instanceof Error ? (cause.message.split(/\. |\n/)[0] ?? '') : String(cause);
    throw new OptionInvalidError(`${message.replace(/\.$/, '')}; --help lists the options`, { cause });
  }
}

/** Reads an option whose value is one of a few words. @throws OptionInvalidError */
export function oneOf<Word extends string>(option: string, value: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  throw new OptionInvalidError(`${option} must be ${words.join(' or ')}, not ${JSON.stringify(value)}`);
}

/** Reads an option whose value is a whole number within bounds. @throws OptionInvalidError */
export function wholeNumber(option: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least && number <= most) return number;
  const bounds = `a whole number from ${least} to ${most}`;
  throw new OptionInvalidError(`${option} must be ${bounds}, not ${JSON.stringify(value)}`);
}
