import type { Settings } from '../../domain/settings.ts';

/** The settings of the function, fully checked when the stack was created. */
export function deployedSettings(): Partial<Settings> {
  return JSON.parse(process.env.SETTINGS || '{}');
}
