const usualExitCodes: Readonly<Record<number, string>> = {
  0: 'success',
  1: 'failed',
  2: 'wrong usage or configuration; nothing was sent',
  70: 'unexpected error',
  130: 'interrupted',
};

/** Exit codes of commands that wait for the service. */
export const waitExitCodes = {
  3: 'not done in time; the service continues',
  130: 'interrupted; the service continues',
};

export const exitCodeTable = (exitCodes: Readonly<Record<number, string>>) =>
  Object.entries({ ...usualExitCodes, ...exitCodes }).map(([code, text]) => `  ${code.padEnd(4)} ${text}`);

/** Formats the help below a command's options: notes, examples, and exit codes where they differ from the usual ones. */
export function helpText(
  notes: string,
  examples: readonly string[],
  exitCodes: Readonly<Record<number, string>> = {},
): string {
  return [
    ...(notes === '' ? [] : [notes]),
    '\nExamples:',
    ...examples.map((example) => `  ${example}`),
    '\nExit codes:',
    ...exitCodeTable(exitCodes),
  ].join('\n');
}
