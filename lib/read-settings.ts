import { readFileSync } from 'node:fs';
import { type Settings, settingsSchema } from '../functions/domain/settings.ts';

/** The settings file cannot be used; each problem is one line for the operator. */
export class SettingsInvalidError extends Error {
  override readonly name = 'SettingsInvalidError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Limit of the settings' size. Of the 4,096 bytes that a function's whole environment may have (Lambda), a quarter is
 * for the names of tables and machines. A standard SSM parameter, which holds the settings too, has as much for itself
 * alone.
 */
const maxEnvironmentBytes = 3072;

/** Reads the settings from a file. @throws SettingsInvalidError naming every problem, not only the first */
export function readSettings(path: string): Settings {
  const parsed = settingsSchema.safeParse(readJson(path));
  const problems = parsed.success ? sizeProblems(parsed.data) : parsed.error.issues.map(describe);
  if (!parsed.success || problems.length > 0)
    throw new SettingsInvalidError(problems.map((problem) => `${path}: ${problem}`));
  return parsed.data;
}

function describe({ path, message }: { path: PropertyKey[]; message: string }): string {
  return [path.join('.'), message].filter(Boolean).join(': ');
}

/** Lambda measures an environment as JSON, in which the quotes of JSON within count twice. */
function sizeProblems(settings: Settings): string[] {
  const bytes = Buffer.byteLength(JSON.stringify(JSON.stringify(settings)));
  if (bytes <= maxEnvironmentBytes) return [];
  return [
    `${settings.chains.length} chains take ${bytes} bytes of a function's environment, and there is room for ` +
      `${maxEnvironmentBytes}: give some of them a stack of their own (-c stackName=NAME -c settings=FILE)`,
  ];
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new SettingsInvalidError([`${path}: cannot be read as JSON: ${cause}`]);
  }
}
