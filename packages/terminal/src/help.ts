interface HelpParts {
  readonly notes?: string;
  readonly examples: readonly string[];
  /** Exit codes. A command without any has those of its program. */
  readonly exitCodes?: Readonly<Record<number, string>>;
  readonly exitCodesHeading?: string;
}

const exitCodeList = (exitCodes: Readonly<Record<number, string>>): string =>
  Object.entries(exitCodes)
    .map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`)
    .join('\n');

/** Formats the help below a command's options. */
export function helpText({
  notes,
  examples,
  exitCodes,
  exitCodesHeading = 'Exit codes:',
}: HelpParts): string {
  return [
    ...(notes === undefined ? [] : [`\n${notes}`]),
    `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`,
    ...(exitCodes ? [`\n${exitCodesHeading}\n${exitCodeList(exitCodes)}`] : []),
  ].join('\n');
}
