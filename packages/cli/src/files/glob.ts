import { UsageInvalidError } from '../errors.ts';

/** Whether a word has what makes a pattern of it. */
export function isPattern(text: string): boolean {
  return /[*?[\]{}]/.test(text);
}

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** What a pattern has besides plain characters. */
const parts = /\*\*\/?|\*|\?|\[[!^]?[^\]/]+\]|\{[^{}]*\}|./gsu;

/** A name that begins with a dot is found by its dot alone, as in a shell. */
const visible = String.raw`(?!\.)`;

function expressionOf(pattern: string): string {
  let expression = '';
  for (const [part] of pattern.matchAll(parts)) {
    const isStart = expression === '' || expression.endsWith('/');
    if (part === '**/') expression += `(?:${visible}[^/]+/)*`;
    else if (part === '**') expression += `(?:${visible}[^/]+(?:/${visible}[^/]+)*)?`;
    else if (part === '*') expression += isStart ? `${visible}[^/]*` : '[^/]*';
    else if (part === '?') expression += isStart ? `${visible}[^/]` : '[^/]';
    else if (part.startsWith('[') && part.length > 1) expression += classOf(part);
    else if (part.startsWith('{') && part.length > 1) expression += choiceOf(part);
    else expression += literally(part);
  }
  return expression;
}

const classOf = (part: string) => `[${part.slice(1, -1).replace(/^!/, '^').replaceAll('\\', '\\\\')}]`;

const choiceOf = (part: string) => `(?:${part.slice(1, -1).split(',').map(expressionOf).join('|')})`;

/**
 * The paths that a pattern matches, with `/` between names: `*` and `?` within a name, `**` across folders, `[a-z]`, and
 * `{md,txt}` without another one in it. @throws UsageInvalidError
 */
export function patternOf(glob: string): RegExp {
  try {
    return new RegExp(`^${expressionOf(glob)}$`, 'u');
  } catch (cause) {
    throw new UsageInvalidError(`${glob} is no pattern: the range in its brackets runs backwards`, { cause });
  }
}

/** The folder that a pattern's matches are below: the names before the first that is a pattern. */
export function folderOf(glob: string): string {
  const names = glob.split('/');
  const first = names.findIndex(isPattern);
  return names.slice(0, first).join('/') || (glob.startsWith('/') ? '/' : '.');
}
