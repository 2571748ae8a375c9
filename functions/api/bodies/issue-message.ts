import type * as z from 'zod';

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  record: 'a JSON object',
  object: 'a JSON object',
  array: 'a list',
};

/** Describes an invalid value without the schema's own terms. */
export function issueMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  return issue.input === undefined ? 'is missing' : `must be ${kinds[issue.expected] ?? issue.expected}`;
}
