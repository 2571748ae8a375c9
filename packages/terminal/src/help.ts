interface HelpParts {
  readonly notes?: string;
  readonly examples: readonly string[];
  /** Exit codes, if they differ from the usual ones. */
  readonly exitCodes?: Readonly<Record<number, string>>;
}

export const exitCodeList = (exitCodes: Readonly<Record<number, string>>): string =>
  Object.entries(exitCodes)
    .map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`)
    .join('\n');

/** Formats the help below a command's options. */
export function helpText({ notes, examples, exitCodes }: HelpParts): string {
  return [
    ...(notes === undefined ? [] : [`\n${notes}`]),
    `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`,
    ...(exitCodes ? [`\nExit codes:\n${exitCodeList(exitCodes)}`] : []),
  ].join('\n');
}
