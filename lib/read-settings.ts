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

/** @throws SettingsInvalidError naming all that is wrong, not only the first of it. */
export function readSettings(path: string): Settings {
  const parsed = settingsSchema.safeParse(readJson(path));
  if (parsed.success) return parsed.data;
  throw new SettingsInvalidError(
    parsed.error.issues.map(
      (issue) => `${[path, issue.path.join('.')].filter(Boolean).join(': ')}: ${issue.message}`,
    ),
  );
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new SettingsInvalidError([`${path}: cannot be read as JSON: ${cause}`]);
  }
}
