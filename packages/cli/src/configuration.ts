import { existsSync } from 'node:fs';
import type { ClientOptions } from 'imprimatur-client';
import { UsageInvalidError } from './errors.ts';

const wanted = {
  IMPRIMATUR_URL: "the service's URL",
  IMPRIMATUR_API_KEY: 'an API key of your organisation',
} as const;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the service's URL and the key from the environment. Neither is taken from a command line, which other users of
 * the machine can read, nor from a local stack unasked: an article meant for the public would go to a chain that no one
 * reads.
 */
export function readConfiguration(variables: Variables, stackFile: string): ClientOptions {
  const { IMPRIMATUR_URL: url, IMPRIMATUR_API_KEY: apiKey } = variables;
  const allowHttp = variables.IMPRIMATUR_ALLOW_HTTP === '1';
  if (url && apiKey) return { url, apiKey, allowHttp };
  const missing = Object.entries(wanted).filter(([name]) => !variables[name]);
  const lines = missing.map(([name, meaning]) => `${name} is not set: it is ${meaning}`);
  throw new UsageInvalidError([...lines, ...localAdvice(stackFile)].join('\n'));
}

/** The key itself is not printed: text on a terminal is copied and logged. */
function localAdvice(stackFile: string): string[] {
  if (!existsSync(stackFile)) return [];
  const path = `'${stackFile.replaceAll("'", `'\\''`)}'`;
  const read = (field: string) =>
    `"$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).${field}' ${path})"`;
  return [
    'a local stack is described here; to use it:',
    `  export IMPRIMATUR_URL=${read('apiUrl')}`,
    `  export IMPRIMATUR_API_KEY=${read('apiKey')}`,
  ];
}
