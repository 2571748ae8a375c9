import { type Settings, settingsSchema } from '../functions/domain/settings.ts';
import { FileInvalidError, readJson } from './environment/read-json.ts';

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
