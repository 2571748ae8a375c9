import { type Environment, type Settings, settingsSchema } from '../domain/settings.ts';

/** Reads non-empty environment variables. @throws Error naming all missing ones */
export function readEnvironment<Name extends keyof Environment>(
  variables: Readonly<Record<string, string | undefined>>,
  names: readonly Name[],
): Pick<Environment, Name> {
  const missing = names.filter((name) => !variables[name]);
  if (missing.length > 0) throw new Error(`not set: ${missing.join(', ')}`);
  return Object.fromEntries(names.map((name) => [name, variables[name]])) as Pick<Environment, Name>;
}

/** Parses the deployment's settings. @throws Error naming every issue */
export function settingsFromEnvironment({ SETTINGS: json }: Pick<Environment, 'SETTINGS'>): Settings {
  const parsed = settingsSchema.safeParse(JSON.parse(json));
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`SETTINGS: ${issues.join('; ')}`);
}
