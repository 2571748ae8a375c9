/** A change of one line that a test should notice. */
export interface Mutant {
  readonly file: string;
  /** Number of the line, from 1. */
  readonly line: number;
  readonly original: string;
  readonly mutated: string;
}

type Operator = readonly [pattern: RegExp, replacement: string];

/** Every match of every pattern, one at a time, is a mutant. */
const operators: readonly Operator[] = [
  [/ == /g, ' != '],
  [/ != /g, ' == '],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/ < /g, ' > '],
  [/ > /g, ' < '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \/ 2/g, ' / 1'],
  [/\+\+/g, '--'],
  [/\bif \(.+?\) (?=revert |return )/g, 'if (false) '],
  [/\b0\b(?!x)/g, '1'],
  [/\b1\b/g, '2'],
  [/\b383\b/g, '384'],
  [/\b64\b/g, '63'],
  [/\b96\b/g, '88'],
  [/ >> 8\b/g, ' >> 9'],
  [/ << /g, ' >> '],
  [/ \|= /g, ' = '],
  [/\b160\b/g, '152'],
  [/\b208\b/g, '200'],
  [/\bdays\b/g, 'hours'],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\bmsg\.sender\b/g, 'tx.origin'],
  [/\bblock\.timestamp\b/g, '(block.timestamp - 1)'],
  [/\bblock\.chainid\b/g, '1'],
  [/\baddress\(this\)/g, 'address(0)'],
  [/ only\w+(\(.*\))?(?= \{|$)/g, ''],
  [/^ +(emit |\w+(\.\w+|\[.*\])* \|?= |attestation\.|_\w+\().*;$/g, ''],
  [/(?<!bytes32 |address |uint256 |\.)\bipfsHash\b(?=[,;)])/g, 'bytes32(0)'],
  [/(?<!bytes32 |address |uint256 |\.)\bauthority\b(?=[,)])/g, 'address(1)'],
  [/(?<!bytes32 |address |uint256 |\.)\bnonce\b(?=[,)])/g, '0'],
  [/(?<!bytes32 |address |uint256 |\.)\bdeadline\b(?=[,)])/g, '0'],
];

const isCode = (line: string) =>
  !/^\s*(\/\/|import |pragma |error |event |function \w+\($|mapping)/.test(line);

function mutantsOfLine(file: string, original: string, line: number): Mutant[] {
  if (!isCode(original)) return [];
  return operators.flatMap(([pattern, replacement]) =>
    [...original.matchAll(pattern)].map(({ 0: match, index }) => ({
      file,
      line,
      original,
      mutated: original.slice(0, index) + replacement + original.slice(index + match.length),
    })),
  );
}

/** Makes all mutants of a source, in order. Many do not compile. */
export function mutantsOf(file: string, source: string): Mutant[] {
  return source.split('\n').flatMap((original, index) => mutantsOfLine(file, original, index + 1));
}
