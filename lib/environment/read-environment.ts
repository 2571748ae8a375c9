import { readdirSync } from 'node:fs';
import { type Settings, settingsSchema } from '../../functions/domain/settings.ts';
import { type Environment, environmentSchema, stackSchema } from './environment.ts';
import { FileInvalidError, jsonOf, readJson } from './read-json.ts';

/** Reads an environment, and looks whether another one has its stack. @throws FileInvalidError naming every problem */
export function readEnvironment(name: string, directory = 'environments'): Environment {
  const names = namesIn(directory);
  const pathOf = (one: string) => `${directory}/${one}.json`;
  if (!names.includes(name))
    throw new FileInvalidError([`there is no ${pathOf(name)}; there are: ${names.join(', ')}`]);
  const path = pathOf(name);
  const environment = readJson(path, environmentSchema);
  const others = names.filter((one) => one !== name).map(pathOf);
  const problems = [
    ...sizeProblems(environment.settings),
    ...others
      .filter((other) => isOfSameStack(environment, other))
      .map((other) => `stackName: ${environment.stackName} is the stack of ${other} too`),
  ];
  if (problems.length > 0) throw new FileInvalidError(problems.map((problem) => `${path}: ${problem}`));
  return environment;
}

/** Names of the environments that there are. */
export function namesIn(directory: string): string[] {
  const files = readdirSync(directory).filter((file) => file.endsWith('.json'));
  return files.map((file) => file.slice(0, -'.json'.length)).sort();
}

function isOfSameStack({ account, region, stackName }: Environment, path: string): boolean {
  const { data } = stackSchema.safeParse(jsonOf(path));
  return data?.account === account && data.region === region && data.stackName === stackName;
}

/**
 * Of the 4,096 bytes of a function's whole environment a quarter is for the names of tables and machines. A standard SSM parameter,
 * which holds the settings too, has as much for itself alone.
 */
const maxEnvironmentBytes = 3072;

/** Reads the settings of a stack on an emulator from a file. @throws FileInvalidError naming every problem */
export function readSettings(path: string): Settings {
  const settings = readJson(path, settingsSchema);
  const problems = sizeProblems(settings);
  if (problems.length > 0) throw new FileInvalidError(problems.map((problem) => `${path}: ${problem}`));
  return settings;
}

/** What of the settings does not fit. Lambda measures a function's environment as JSON, in which the quotes of JSON within count twice. */
export function sizeProblems(settings: Settings): string[] {
  const bytes = Buffer.byteLength(JSON.stringify(JSON.stringify(settings)));
  if (bytes <= maxEnvironmentBytes) return [];
  return [
    `${settings.chains.length} chains take ${bytes} bytes of a function's environment, and there is room for ` +
      `${maxEnvironmentBytes}: give some of them an environment of their own`,
  ];
}
