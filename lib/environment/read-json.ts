import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** An invalid file, with one line for each problem. */
export class FileInvalidError extends Error {
  override readonly name = 'FileInvalidError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** Reads a file of JSON by a schema. @throws FileInvalidError with every problem */
export function readJson<Schema extends z.ZodType>(path: string, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(jsonOf(path), { error: issueMessage });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap((issue) => describe(issue, schema));
  throw new FileInvalidError(problems.map((problem) => `${path}: ${problem}`));
}

function issueMessage({ code, input }: z.core.$ZodRawIssue): string | undefined {
  return code === 'invalid_type' && input === undefined ? 'is missing' : undefined;
}

function describe(issue: z.core.$ZodIssue, schema: z.ZodType): string[] {
  if (issue.code !== 'unrecognized_keys') return [line(issue.path, issue.message)];
  const known = namesAt(schema, issue.path).join(', ');
  return issue.keys.map((key) => line([...issue.path, key], `is unknown; known names: ${known}`));
}

const line = (path: readonly PropertyKey[], message: string): string =>
  [path.join('.'), message].filter(Boolean).join(': ');

/** Returns the property names of the schema at a path. */
function namesAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let node: z.core.JSONSchema._JSONSchema | undefined = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  for (const part of path) {
    if (typeof node !== 'object') return [];
    node = typeof part === 'number' ? [node.items].flat()[0] : node.properties?.[String(part)];
  }
  return typeof node === 'object' ? Object.keys(node.properties ?? {}) : [];
}

/** Reads a file of JSON. @throws FileInvalidError */
export function jsonOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new FileInvalidError([`${path}: cannot be read as JSON: ${cause}`]);
  }
}
