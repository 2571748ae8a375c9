import { mkdirSync } from 'node:fs';
import { checkout } from '../../local/checkout.ts';
import { endOfFailure, stopRequest, unlessStopped } from '../../local/process/stop-request.ts';
import { type Stack, startStack } from '../../local/stack/stack.ts';
import { type BenchOptions, benchHelp, parseBenchOptions } from './arguments.ts';
import { measureBundles } from './bundles/measure-bundles.ts';
import { measureGas } from './gas/measure-gas.ts';
import { measureHandlers } from './handlers/measure-handlers.ts';
import { measureHops } from './hops/measure-hops.ts';
import { measureLanes } from './lanes/measure-lanes.ts';
import { measureQuotes } from './quotes/measure-quotes.ts';
import { presentTable, tableRecords } from './report/present-table.ts';
import type { Bench, Measure, SectionName, Table } from './report/section.ts';
import { describeMachine, writeDocument } from './report/write-document.ts';
import { measureTransitions } from './transitions/measure-transitions.ts';

const directory = `${checkout}/.local/bench`;
const documentPath = `${checkout}/docs/benchmarks.md`;

/** The registry's delay is one number in its code: its length changes no gas, no hop and no transition. */
const revealDelaySeconds = 2;

const measures: Record<SectionName, Measure> = {
  bundles: measureBundles,
  handlers: measureHandlers,
  hops: measureHops,
  transitions: measureTransitions,
  gas: measureGas,
  lanes: measureLanes,
  quotes: measureQuotes,
};

interface Results {
  readonly machine: string;
  readonly tables: ReadonlyMap<SectionName, readonly Table[]>;
}

async function measure({ sections, lanes }: BenchOptions, signal: AbortSignal): Promise<Results> {
  const log = (line: string) => console.error(line);
  const usual = { directory, revealDelaySeconds, variables: {}, log, signal };
  let opened: Promise<Stack> | undefined;
  const bench: Bench = {
    directory,
    log,
    lanes,
    stack() {
      opened ??= startStack(usual);
      return opened;
    },
    stackWith: (confirmations) =>
      startStack({ ...usual, directory: `${directory}/${confirmations}`, confirmations }),
  };
  const tables = new Map<SectionName, Table[]>();
  const machine = describeMachine(new Date());
  try {
    for (const name of sections) tables.set(name, await unlessStopped(signal, measures[name](bench)));
  } finally {
    // A stack that did not start has stopped itself, and its failure is reported already.
    await opened?.then(
      (stack) => stack.stop(),
      () => undefined,
    );
  }
  return { machine, tables };
}

function present({ machine, tables }: Results): Map<SectionName, string> {
  const shown = ([name, all]: [SectionName, readonly Table[]]): [SectionName, string] => [
    name,
    [`Measured ${machine}.`, ...all.map(presentTable)].join('\n\n'),
  ];
  return new Map([...tables].map(shown));
}

function asJson({ machine, tables }: Results): string {
  const sections = [...tables].map(([name, all]) => [
    name,
    all.map((table) => ({ title: table.title, rows: tableRecords(table) })),
  ]);
  return JSON.stringify({ machine, ...Object.fromEntries(sections) });
}

/** Runs the command. @returns its exit status; everything it started has ended by then. */
async function main(argv: readonly string[]): Promise<number> {
  const signal = stopRequest();
  try {
    const options = parseBenchOptions(argv);
    if (!options) {
      console.log(benchHelp);
      return 0;
    }
    mkdirSync(directory, { recursive: true });
    const results = await measure(options, signal);
    const shown = present(results);
    console.log(
      options.json ? asJson(results) : [...shown].map(([name, text]) => `## ${name}\n\n${text}\n`).join('\n'),
    );
    if (options.write) writeDocument(documentPath, shown);
    return 0;
  } catch (error) {
    return endOfFailure(error);
  }
}

process.exit(await main(process.argv.slice(2)));
