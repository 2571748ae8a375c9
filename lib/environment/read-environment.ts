import { readdirSync } from 'node:fs';
import type * as z from 'zod';
import type { Settings } from '../../functions/domain/settings.ts';
import { type Environment, environmentSchema, fittingSettings, stackSchema } from './environment.ts';
import { FileInvalidError, jsonOf, readJson } from './read-json.ts';

/** Reads an environment, and checks that no other one has its stack. @throws FileInvalidError with every problem */
export function readEnvironment(name: string, directory = 'environments'): Environment {
  const names = namesIn(directory);
  const pathOf = (file: string) => `${directory}/${file}.json`;
  if (!names.includes(name))
    throw new FileInvalidError([`there is no ${pathOf(name)}; there are: ${names.join(', ')}`]);
  const path = pathOf(name);
  const environment = readJson(path, environmentSchema);
  const others = names.filter((other) => other !== name).map(pathOf);
  const problems = others
    .filter((other) => isOfSameStack(environment, other))
    .map(
      (other) => `${path}: stackName: ${environment.stackName} is also the stack of ${other}; choose another`,
    );
  if (problems.length > 0) throw new FileInvalidError(problems);
  return environment;
}

/** Returns the name of the only environment. @throws FileInvalidError that lists the environments */
export function onlyEnvironment(directory = 'environments'): string {
  const names = namesIn(directory);
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  const rows = names.map((name) => [name, ...describeEnvironment(name, directory)]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(
    (row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`,
  );
  const todo = names.length === 0 ? `write a file in ${directory}/` : 'add -c env=NAME with one of these:';
  throw new FileInvalidError([`no environment: ${todo}`, ...lines.map((line) => line.trimEnd())]);
}

function describeEnvironment(name: string, directory: string): string[] {
  try {
    const { account, region, stackName, settings } = readEnvironment(name, directory);
    return [account, region, stackName, settings.chains.map((chain) => chain.name).join(', ')];
  } catch (error) {
    if (!(error instanceof FileInvalidError)) throw error;
    return ['invalid'];
  }
}
/** Whether an environment of the folder has the stack. */
export const isStackOfAny = (stack: z.output<typeof stackSchema>, directory: string): boolean =>
  namesIn(directory).some((name) => isOfSameStack(stack, `${directory}/${name}.json`));

export function namesIn(directory: string): string[] {
  const files = readdirSync(directory).filter((file) => file.endsWith('.json'));
  return files.map((file) => file.slice(0, -'.json'.length)).sort();
}

function isOfSameStack({ account, region, stackName }: z.output<typeof stackSchema>, path: string): boolean {
  const { data } = stackSchema.safeParse(jsonOf(path));
  return data?.account === account && data.region === region && data.stackName === stackName;
}

/** Reads the settings of a stack on an emulator from a file. @throws FileInvalidError with every problem */
export const readSettings = (path: string): Settings => readJson(path, fittingSettings);
