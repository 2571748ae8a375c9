import { readdirSync } from 'node:fs';
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

export function namesIn(directory: string): string[] {
  const files = readdirSync(directory).filter((file) => file.endsWith('.json'));
  return files.map((file) => file.slice(0, -'.json'.length)).sort();
}

function isOfSameStack({ account, region, stackName }: Environment, path: string): boolean {
  const { data } = stackSchema.safeParse(jsonOf(path));
  return data?.account === account && data.region === region && data.stackName === stackName;
}

/** Reads the settings of a stack on an emulator from a file. @throws FileInvalidError with every problem */
export const readSettings = (path: string): Settings => readJson(path, fittingSettings);
