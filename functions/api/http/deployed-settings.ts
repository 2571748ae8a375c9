import type { Settings } from '../../domain/settings.ts';

/** The settings of the function. Their whole schema was checked when the stack was made. */
export function deployedSettings(): Partial<Settings> {
  return JSON.parse(process.env.SETTINGS || '{}');
}
