import { parseArgs } from 'node:util';
import { OptionInvalidError } from '../../local/terminal/option-values.ts';
import { type LaneOptions, parseLaneOptions, type SectionName, sectionNames } from './report/section.ts';

export const benchHelp = `npm run bench [-- SECTION … [options]]: measures what the service costs, on this machine.

  bundles      size, start and largest packages of each function as it is deployed
  handlers     time, processor time and allocations of each route's function in one process
  hops         network round trips and sequential hops of each endpoint and state, DynamoDB units of an attestation
  transitions  states entered by the state machines for one attestation
  gas          gas and calldata of attestations, alone and in batches, by today's rules and EIP-8037's, beside EAS
  lanes        pace of one key's lane with thousands of operations queued at once, about fifteen minutes
  quotes       time of the verifier's quote root of 1 MiB, and of proofs
  (none)       all of them, about twenty minutes

  --attestations N                  of lanes: attestations queued at once, 1 to 100000; default 20000, of which
                                    DynamoDB is given at most 2000, chains with other blocks than of 2 s 1000
  --store memory|dynamodb|both      of lanes: where its records are; default both
  --mode forwarder|key|both         of lanes: how transactions reach the registry; default both

  --json       one JSON object on standard output; progress goes to standard error
  --write      also write the results into docs/benchmarks.md
  --help       this text

All but bundles and quotes start what they need (emulator and anvil) under .local/bench: lanes and gas by themselves, the others the
whole local stack, as npm start does. gas has npm fetch the contracts of EAS.`;

export interface BenchOptions {
  readonly sections: readonly SectionName[];
  readonly json: boolean;
  readonly write: boolean;
  readonly lanes: LaneOptions;
}

const options = {
  json: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  attestations: { type: 'string', default: '20000' },
  store: { type: 'string', default: 'both' },
  mode: { type: 'string', default: 'both' },
  help: { type: 'boolean', default: false, short: 'h' },
} as const;

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (cause) {
    // Node's own message is a sentence on the option, followed by advice on positional arguments.
    const message = cause instanceof Error ? (cause.message.split(/\. |\n/)[0] ?? '') : String(cause);
    throw new OptionInvalidError(`${message.replace(/\.$/, '')}; --help lists the options`, { cause });
  }
}

/** Parses the command line. @returns undefined when help is asked for. @throws OptionInvalidError */
export function parseBenchOptions(argv: readonly string[]): BenchOptions | undefined {
  const { values, positionals } = parse(argv);
  if (values.help) return undefined;
  const unknown = positionals.find((name) => !sectionNames.some((section) => section === name));
  if (unknown !== undefined) {
    throw new OptionInvalidError(`there is no section ${unknown}; sections: ${sectionNames.join(', ')}`);
  }
  const wanted = sectionNames.filter((name) => positionals.length === 0 || positionals.includes(name));
  const { json, write } = values;
  return { sections: wanted, json, write, lanes: parseLaneOptions(values) };
}
