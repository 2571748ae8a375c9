import { readOptionValues, wholeNumber } from '../../local/terminal/option-values.ts';

export const soakHelp = `npm run soak -- [options]: lives, for each seed, a life of the whole service: attestations of several organisations
posted, linked and posted again, while any call of a port may be killed, refused or unheard, three more dispatchers run, and
chain, keys, authorities and operators make all the trouble that docs/faults.md knows. Then all trouble stops, and the
rule must hold: each attestation is confirmed once or failed with a reason, nothing is done twice, nothing waits.

  --seeds N    how many seeds; default 1000, with --real 50
  --first S    the first of them; default 0
  --seed S     that one alone
  --trace      with --seed: all that happens, line by line, on standard output
  --real       on the emulator's DynamoDB and KMS, and on an anvil for each seed, in place of fakes
  --json       one JSON object on standard output; progress goes to standard error
  --help       this text

On fakes a seed goes the same way every time, to the last stored byte: a failing one is lived again, and the report says
whether it did. The exit status is 0 only if no seed failed.`;

export interface SoakOptions {
  readonly seeds: readonly number[];
  readonly real: boolean;
  readonly trace: boolean;
  readonly json: boolean;
}

const options = {
  seeds: { type: 'string' },
  first: { type: 'string', default: '0' },
  seed: { type: 'string' },
  trace: { type: 'boolean', default: false },
  real: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false, short: 'h' },
} as const;

const usualSeeds = { simulated: '1000', real: '50' };
const most = 2 ** 31 - 1;

/** Parses the command line. @returns undefined when help is asked for. @throws OptionInvalidError */
export function parseSoakOptions(argv: readonly string[]): SoakOptions | undefined {
  const { help, seed, first, seeds, trace, real, json } = readOptionValues(argv, options);
  if (help) return undefined;
  if (seed !== undefined) return { seeds: [wholeNumber('--seed', seed, 0, most)], real, trace, json };
  const from = wholeNumber('--first', first, 0, most);
  const usual = real ? usualSeeds.real : usualSeeds.simulated;
  const count = wholeNumber('--seeds', seeds ?? usual, 1, 1_000_000);
  return { seeds: Array.from({ length: count }, (_, position) => from + position), real, trace: false, json };
}
