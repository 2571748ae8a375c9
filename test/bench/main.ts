import { mkdirSync } from 'node:fs';
import { Argument, Command } from 'commander';
import { wholeNumber } from 'imprimatur-terminal/whole-number';
import { checkout } from '../../local/checkout.ts';
import { raceWithStop, reportFailure, stopRequest } from '../../local/process/stop-request.ts';
import { measureBundles } from './bundles.ts';
import { measureGas } from './gas.ts';
import { measureHops } from './hops/measure-hops.ts';
import { measureLanes } from './lanes.ts';
import { measureQuotes } from './quotes.ts';
import { describeMachine, type Measure, presentTable, type Table } from './report.ts';
import { measureUnits } from './units.ts';

const directory = `${checkout}/.local/bench`;

const measures = {
  bundles: measureBundles,
  hops: measureHops,
  gas: measureGas,
  lanes: measureLanes,
  units: measureUnits,
  quotes: measureQuotes,
} satisfies Record<string, Measure>;

type SectionName = keyof typeof measures;

const sectionNames = Object.keys(measures) as SectionName[];

interface BenchOptions {
  readonly attestations: number;
}

const sections = `
Sections (default: all):
  bundles  size and startup time of each deployed function
  hops     network round trips and sequential hops of each endpoint and state
  gas      gas of attestations with EIP-8037; for today's, npm run gas --workspace contracts
  lanes    throughput of one lane with a long queue
  units    DynamoDB write units and state transitions of an attestation
  quotes   time for the quote root of 1 MiB, and for proofs

The command starts and stops the anvil or the emulator that it needs.

Exit codes:
  0    success
  1    failure or wrong usage
  130  interrupted

Examples:
  npm run bench -- gas quotes
  npm run bench -- lanes --attestations 10000`;

const program = new Command('npm run bench --')
  .description('Measure the costs and the speed of the service on this machine.')
  .addArgument(new Argument('[sections...]', 'sections to measure').choices(sectionNames))
  .option('--attestations <n>', 'for lanes: attestations to queue', wholeNumber(1, 100_000), 3_000)
  .addHelpText('after', sections);

type Results = ReadonlyMap<SectionName, readonly Table[]>;

function print(machine: string, results: Results): void {
  for (const [name, tables] of results)
    console.log([`## ${name}`, `Measured ${machine}.`, ...tables.map(presentTable), ''].join('\n\n'));
}

/** Runs the command, and stops everything that it started. @returns the exit code */
async function bench(given: readonly SectionName[], options: BenchOptions): Promise<number> {
  const signal = stopRequest();
  const log = (line: string) => console.error(line);
  const machine = describeMachine();
  const results = new Map<SectionName, Table[]>();
  const wanted = sectionNames.filter((name) => given.length === 0 || given.includes(name));
  try {
    mkdirSync(directory, { recursive: true });
    for (const name of wanted) {
      const measured = measures[name]({ directory, log, signal, attestations: options.attestations });
      results.set(name, await raceWithStop(signal, measured));
    }
    print(machine, results);
    return 0;
  } catch (error) {
    return reportFailure(error);
  }
}

program.action(async (sections, options) => process.exit(await bench(sections, options)));
await program.parseAsync();
